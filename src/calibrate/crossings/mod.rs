//! Boards of thin lines: stones on their crossings, or marks in the squares between them.
//!
//! Takes planes and what is wanted, gives calibrations with a quality; which of the two kinds a
//! board is stands in the calibration. The way of a picture: [`threads`], pieces of thin line ->
//! [`seeds`], a few of them that cross at equal distances -> the seed's [`net`] grown ([`grow`])
//! line by line, each looked for where the others say it must be ([`probe`]) -> a [`survey`] of
//! its crossings and squares -> [`stones`] or marks in [`squares`] -> the [`judge`].

mod find;
mod grow;
mod judge;
mod letters;
mod net;
mod probe;
mod seeds;
mod squares;
mod stones;
mod survey;
mod threads;

pub use find::find;
