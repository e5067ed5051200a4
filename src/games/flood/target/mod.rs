//! The built-in Flood-It: a calibration target.
