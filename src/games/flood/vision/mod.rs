//! What a Flood-It board may look like.
