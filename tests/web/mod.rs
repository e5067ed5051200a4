//! The daemon as a browser, a script and an attacker see it: the real program, spoken to over a
//! real socket.

mod attacks;
mod axe;
mod browser;
mod calibrate;
mod client;
mod document;
mod pages;
mod records;
mod sessions;
