//! The loop on one screen of code, its pure tick, and the threads around it.
