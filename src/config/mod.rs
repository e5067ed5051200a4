//! Configuration: as written (file, environment, command line) and as usable.
