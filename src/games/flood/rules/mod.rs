//! The rules of Flood-It.
