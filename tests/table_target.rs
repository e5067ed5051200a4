//! The built-in targets for two, from outside: in a real window, through a simulated webcam, and
//! as pictures that must not change unnoticed.

mod golden;
mod simulated;
mod window;
