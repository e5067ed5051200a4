//! Single pictures of Tetris in many programs, on consoles and on screens that somebody
//! photographed: the same seed gives the same picture.
//!
//! Takes a seed, gives a [`StackCase`]; seeds go through [`CONDITIONS`] in turn. What is asked of a
//! picture: the board found with its size, empty cells told from filled ones, and filled ones of
//! different colours from each other.

mod blocks;
mod console;
mod filmed;
mod modern;
mod pocket;
pub mod scene;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::none;
use crate::games::flood::target::cases::{Case, Truth};
use crate::types::Picture;
use console::Moment;
use filmed::Shot;
use modern::Hard;

/// The conditions.
pub const CONDITIONS: [&str; 18] = [
    "console",
    "combed",
    "clearing",
    "pocket",
    "modern",
    "trails",
    "textured",
    "flat",
    "odd size",
    "pair",
    "popup",
    "tiny",
    "huge",
    "television",
    "monitor",
    "steep",
    "pocket photo",
    "none",
];

/// A screen with boards on it.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The pixels.
    pub screen: Picture,
    /// The boards; where there are several any of them may be found.
    pub boards: Vec<Truth>,
    /// Its look, for a person.
    pub name: String,
}

/// A picture and the boards in it.
#[derive(Clone, Debug)]
pub struct StackCase {
    /// The picture, with the first board as its truth.
    pub case: Case,
    /// Further boards.
    pub others: Vec<Truth>,
}

/// A picture of the condition that the seed falls on.
#[must_use]
pub fn case(seed: u64) -> StackCase {
    let n = CONDITIONS.len() as u64;
    let condition = CONDITIONS[(seed % n) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x57ac);
    if condition == "none" {
        return nothing(seed / n);
    }
    let drawn = loop {
        if let Some(drawn) = drawn(&mut rng, seed, condition) {
            break drawn;
        }
    };
    let mut boards = drawn.boards.into_iter();
    StackCase {
        case: Case {
            condition: condition.to_owned(),
            name: format!("stacks {seed} {condition} {}", drawn.name),
            picture: drawn.screen,
            truth: boards.next(),
        },
        others: boards.collect(),
    }
}

fn drawn(rng: &mut ChaCha8Rng, seed: u64, condition: &str) -> Option<Drawn> {
    Some(match condition {
        "console" => console::frame(rng, seed, Moment::Plain),
        "combed" => console::frame(rng, seed, Moment::Combed),
        "clearing" => console::frame(rng, seed, Moment::Clearing),
        "pocket" => pocket::frame(rng),
        "modern" => modern::picture(rng, Hard::Modern),
        "trails" => modern::picture(rng, Hard::Trails),
        "textured" => modern::picture(rng, Hard::Textured),
        "flat" => modern::picture(rng, Hard::Flat),
        "odd size" => modern::picture(rng, Hard::OddSize),
        "pair" => modern::picture(rng, Hard::Pair),
        "popup" => modern::picture(rng, Hard::Popup),
        "tiny" => modern::picture(rng, Hard::Tiny),
        "huge" => modern::picture(rng, Hard::Huge),
        "pocket photo" => {
            let screen = pocket::frame(rng);
            filmed::photograph(rng, seed, &screen, Shot::Monitor)?
        }
        other => {
            let screen = match rng.random_range(0..4) {
                0 => modern::picture(rng, Hard::Modern),
                1 => modern::picture(rng, Hard::Textured),
                _ => console::frame(rng, seed, Moment::Plain),
            };
            let shot = match other {
                "television" => Shot::Television,
                "monitor" => Shot::Monitor,
                _ => Shot::Steep,
            };
            filmed::photograph(rng, seed, &screen, shot)?
        }
    })
}

/// A picture without a board.
fn nothing(seed: u64) -> StackCase {
    let mut case = none::case(seed);
    case.condition = "none".to_owned();
    StackCase {
        case,
        others: Vec::new(),
    }
}
