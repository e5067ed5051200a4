//! The levels that are shipped, in their order, each sealed by the solution of the one before; and
//! the judgement on who says to have solved one.
//!
//! Takes the text of `models/triplex.levels`; gives sealed texts for the page and verdicts for the
//! server. Must never give a level's text or key to who has not shown its way there.

mod seal;

use std::sync::LazyLock;

pub use seal::Key;

use super::policies::{Exact, only_solution};
use super::rules::{HEAD, Level, NotationError, Tiling, Wrong, one_line, parse_file};

/// The levels that are part of the program.
const SHIPPED: &str = include_str!("../../../../models/triplex.levels");
/// Figures of a level, at most: a letter each.
const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";
/// Letters of a claimed solution, at most: no level is so large.
const LONGEST: usize = 256;

/// A level of the chain.
#[derive(Clone, Debug)]
pub struct Link {
    /// The level.
    pub level: Level,
    /// Its only solution.
    pub solution: Tiling,
    /// What opens it.
    pub key: Key,
}

/// Levels in their order.
#[derive(Clone, Debug)]
pub struct Chain {
    links: Vec<Link>,
}

/// Levels that make no chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// A text that is no level.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A level without its solution, or with too many figures to name.
    #[error(
        "line {0}: a level of a chain has its solution after `=` and at most {most} figures",
        most = LETTERS.len()
    )]
    Unusable(usize),
    /// More levels than a code can count.
    #[error("there are {0} levels and a code counts to {most}", most = u16::MAX)]
    Many(usize),
}

/// What somebody says to have solved.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The level's number, from 1.
    pub level: u16,
    /// Who.
    pub name: &'a str,
    /// Seconds that it took.
    pub seconds: u32,
    /// What the server gave for this one claim.
    pub ticket: &'a str,
    /// Rows joined by `/`: a letter for each figure.
    pub solution: &'a str,
    /// The proof, in hexadecimal digits.
    pub checksum: &'a str,
}

/// Why a claim is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forged {
    /// No such level.
    #[error("there is no level {0}: there are 1 to {1}")]
    Level(u16, usize),
    /// The solution solves nothing.
    #[error("level {0} is not solved: {1}")]
    Unsolved(u16, Wrong),
    /// The rules allow it, and yet the solver finds another one.
    #[error("level {0}: the solver finds another solution")]
    Another(u16),
    /// The checksum is not that of this claim by somebody who could open the level.
    #[error("level {0}: the checksum does not fit the claim")]
    Checksum(u16),
}

/// Why a level is not shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Closed {
    /// No such level.
    #[error("there is no level {0}: there are 1 to {1}")]
    None(u16, usize),
    /// It has not been opened.
    #[error(
        "level {0} is opened by its code, which the page shows to who has solved the one before"
    )]
    Code(u16),
}

impl Chain {
    /// The levels that are part of the program.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static CHAIN: LazyLock<Chain> = LazyLock::new(|| {
            // A test reads the file that the program is built with.
            Chain::read(SHIPPED).unwrap_or(Chain { links: Vec::new() })
        });
        &CHAIN
    }

    /// A chain of levels, as `kibitzer levels triplex` writes them.
    ///
    /// # Errors
    /// With the line of the first level that cannot be used.
    pub fn read(text: &str) -> Result<Self, ChainError> {
        let entries = parse_file(text)?;
        if entries.len() > usize::from(u16::MAX) {
            return Err(ChainError::Many(entries.len()));
        }
        let mut links: Vec<Link> = Vec::with_capacity(entries.len());
        for entry in entries {
            let usable = entry.level.figures() <= LETTERS.len();
            let Some(solution) = entry.solution.filter(|_| usable) else {
                return Err(ChainError::Unusable(entry.line));
            };
            let key = links.last().map_or(Key::default(), |before| {
                before.key.next(links.len(), &before.canonical())
            });
            links.push(Link {
                level: entry.level,
                solution,
                key,
            });
        }
        Ok(Self { links })
    }

    /// All levels, the first first.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The text of each level as only who has solved the one before can read it.
    #[must_use]
    pub fn sealed(&self) -> Vec<String> {
        let links = self.links.iter().enumerate();
        links.map(|(i, l)| l.key.seal(i + 1, &l.text())).collect()
    }

    /// A level for who has its code; small letters and other ways to set them apart do not matter.
    /// The first is open to everybody.
    ///
    /// # Errors
    /// When there is no such level, or the code is not its.
    pub fn open(&self, number: u16, code: Option<&str>) -> Result<&Link, Closed> {
        let at = usize::from(number).checked_sub(1);
        let link = at.and_then(|i| self.links.get(i));
        let link = link.ok_or(Closed::None(number, self.links.len()))?;
        let plain = |text: &str| -> String {
            let letters = text.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|c| c.to_ascii_uppercase()).collect()
        };
        let right = code.is_some_and(|code| plain(code) == plain(&link.key.code(number)));
        match number == 1 || right {
            true => Ok(link),
            false => Err(Closed::Code(number)),
        }
    }

    /// Whether a claim is true: the level is solved by the rules, our solver finds the same, and
    /// the checksum shows that who claims it came by the levels before, or by a code.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn judge(&self, claim: &Claim<'_>) -> Result<(), Forged> {
        let number = usize::from(claim.level);
        let link = number.checked_sub(1).and_then(|i| self.links.get(i));
        let Some(link) = link else {
            return Err(Forged::Level(claim.level, self.links.len()));
        };
        let unsolved = |wrong| Forged::Unsolved(claim.level, wrong);
        if claim.solution.len() > LONGEST {
            return Err(unsolved(Wrong::Text("the solution is too long".to_owned())));
        }
        let tiling = Tiling::from_text(link.level.field(), claim.solution).map_err(unsolved)?;
        tiling.check(&link.level).map_err(unsolved)?;
        let found = only_solution(&link.level, &mut Exact::new());
        if found.is_none_or(|(only, _)| only != tiling) {
            return Err(Forged::Another(claim.level));
        }
        if link.key.proof(number, &claim.text()) != claim.checksum {
            return Err(Forged::Checksum(claim.level));
        }
        Ok(())
    }
}

impl Link {
    /// The level as the page reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let line = one_line(&self.level);
        line.strip_prefix(HEAD).unwrap_or(&line).trim().to_owned()
    }

    /// The solution written in one way only: rows joined by `/`, the figures named `a`, `b` and so
    /// on in the order of their first squares.
    #[must_use]
    pub fn canonical(&self) -> String {
        let size = self.level.field().size();
        let mut cells = vec![b'.'; size.len()];
        for (placement, letter) in self.solution.placements().iter().zip(LETTERS) {
            for cell in placement.cells() {
                cells[size.index(cell)] = *letter;
            }
        }
        let rows = cells.chunks(usize::from(size.cols).max(1));
        let rows: Vec<_> = rows.map(String::from_utf8_lossy).collect();
        rows.join("/")
    }
}

impl Claim<'_> {
    /// What the checksum is made of, beside number and key.
    #[must_use]
    pub fn text(&self) -> String {
        let Self {
            name,
            seconds,
            ticket,
            solution,
            ..
        } = self;
        format!("{ticket}\n{seconds}\n{solution}\n{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim<'a>(number: u16, solution: &'a str, checksum: &'a str) -> Claim<'a> {
        Claim {
            level: number,
            name: "Ada",
            seconds: 12,
            ticket: "t1",
            solution,
            checksum,
        }
    }

    #[test]
    fn all_shipped_levels_make_a_chain() {
        let chain = Chain::read(SHIPPED).expect("what is shipped can be read");
        assert_eq!(chain.links().len(), 724);
        let sealed = chain.sealed();
        assert_eq!(sealed.len(), 724);
        let keys: std::collections::HashSet<String> =
            chain.links().iter().map(|l| l.key.code(1)).collect();
        assert_eq!(keys.len(), 724, "no key opens two levels");
    }

    #[test]
    fn a_level_is_shown_to_who_has_its_code() {
        let chain = Chain::shipped();
        let code = |number: u16| chain.links()[usize::from(number) - 1].key.code(number);
        for given in [None, Some(""), Some("nonsense")] {
            assert!(chain.open(1, given).is_ok(), "{given:?}");
        }
        let text = |number: u16| chain.links()[usize::from(number) - 1].text();
        let small = code(5).to_lowercase().replace('-', " ");
        for given in [code(5), small] {
            let link = chain.open(5, Some(&given)).expect("its own");
            assert_eq!(link.text(), text(5));
        }
        let cut = code(5)[..18].to_owned();
        for given in [None, Some(""), Some(code(4).as_str()), Some(&cut)] {
            assert_eq!(
                chain.open(5, given).err(),
                Some(Closed::Code(5)),
                "{given:?}"
            );
        }
        let most = chain.links().len();
        for none in [0, u16::MAX] {
            let told = chain.open(none, Some(&code(5))).err();
            assert_eq!(told, Some(Closed::None(none, most)));
        }
    }

    #[test]
    fn a_claim_is_believed_for_what_it_proves() {
        let chain = Chain::shipped();
        for number in [1, 2, 100, 724] {
            let link = &chain.links()[usize::from(number) - 1];
            let solution = link.canonical();
            let honest = claim(number, &solution, "");
            let proof = link.key.proof(number.into(), &honest.text());
            let honest = Claim {
                checksum: &proof,
                ..honest
            };
            assert_eq!(chain.judge(&honest), Ok(()));
            let forged = Err(Forged::Checksum(number));
            let others = [
                Claim {
                    name: "Eve",
                    ..honest
                },
                Claim {
                    seconds: 1,
                    ..honest
                },
                Claim {
                    ticket: "t2",
                    ..honest
                },
                Claim {
                    checksum: "",
                    ..honest
                },
            ];
            for other in others {
                assert_eq!(chain.judge(&other), forged, "{other:?}");
            }
            // The right proof by another level's key.
            let elsewhere = chain.links()[300].key.proof(number.into(), &honest.text());
            let stolen = Claim {
                checksum: &elsewhere,
                ..honest
            };
            assert_eq!(chain.judge(&stolen), forged);
        }
    }

    #[test]
    fn what_is_not_solved_is_refused_before_its_checksum() {
        let chain = Chain::shipped();
        for (number, solution) in [
            (0, "aaab/ccbb"),
            (725, "aaab/ccbb"),
            (1, ""),
            (1, "aaab/ccb"),
            (1, "aabb/ccdd"),
            (1, "aaab/cc.b"),
            (1, "aaaa/bbbb"),
            (2, "aaab/ccbb"),
        ] {
            let judged = chain.judge(&claim(number, solution, ""));
            let forged = judged.expect_err(solution);
            assert!(
                !matches!(forged, Forged::Checksum(_)),
                "{solution}: {forged}"
            );
        }
        let long = "a".repeat(LONGEST + 1);
        assert!(chain.judge(&claim(1, &long, "")).is_err());
    }

    #[test]
    fn levels_that_make_no_chain_are_told_by_their_line() {
        let text = "triplex1 2x2 2*xx = aa/bb\n\ntriplex1 2x2 2*xx\n";
        assert_eq!(
            Chain::read(text).map(|_| ()),
            Err(ChainError::Unusable(3)),
            "without its solution"
        );
        assert!(Chain::read("triplex1 2x2 3*xx").is_err());
    }
}
