//! Policies for Flood-It.
