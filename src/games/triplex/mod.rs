//! TripleX: figures of two and three squares that fill a rectangle in exactly one way.
