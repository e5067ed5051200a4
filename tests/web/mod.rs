//! The daemon as a browser, a script and an attacker see it: the real program, spoken to over a
//! real socket.

mod attacks;
mod boards;
mod browser;
mod client;
mod document;
mod many;
mod pages;
mod play;
mod sessions;
mod socket;
mod solvers;
mod triplex;
