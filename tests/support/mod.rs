//! What the tests share.

pub mod x11_window;
