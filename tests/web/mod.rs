//! The daemon as a browser, a script and an attacker see it: the real program, spoken to over a
//! real socket.

mod attacks;
mod axe;
mod boards;
mod browser;
mod calibrate;
mod client;
mod document;
mod life;
mod many;
mod pages;
mod pictures;
mod play;
mod profiles;
mod records;
mod sessions;
mod socket;
mod solvers;
mod triplex;
mod triplex_seen;
