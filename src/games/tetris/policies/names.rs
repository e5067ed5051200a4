//! Policies by name: `PLAN:WEIGHTS:NUMBER`.

use std::path::Path;

use super::Policy;
use super::model::Model;
use super::player::{Plan, Player};
use crate::games::spec::{Listed, Setting, Spec};

/// Who plays when nobody says: with the next piece in sight it looks at every pair of places.
pub const USUAL: &str = "two-piece";
/// Weights of a plan that is named without any, and who places single pieces when nobody says.
pub const USUAL_WEIGHTS: &str = "kibitzer";
/// Plans that stand before weights.
const PLANS: [&str; 4] = ["one-piece", "two-piece", "expectimax", "beam"];
/// Unknown pieces that `expectimax` looks at, unless told.
const DEPTH: u32 = 1;
/// Lines that `beam` keeps, unless told.
const WIDTH: u32 = 8;

const WEIGHTS: Setting = Setting {
    key: "weights",
    default: USUAL_WEIGHTS,
    about: "kibitzer, dellacherie, bcts, dt10, dt20, el-tetris, or a file ending in .toml",
};

/// The policies with their options. `expectimax:weights=dt10,depth=2` may also be written
/// `expectimax:dt10:2`.
pub const LIST: &[Listed] = &[
    Listed {
        name: "kibitzer",
        about: "our own weights; looks deeper near the top",
        options: &[],
    },
    Listed {
        name: "dellacherie",
        about: "the weights of Dellacherie, one piece",
        options: &[],
    },
    Listed {
        name: "bcts",
        about: "the weights of BCTS, one piece",
        options: &[],
    },
    Listed {
        name: "dt10",
        about: "the weights of DT-10, one piece",
        options: &[],
    },
    Listed {
        name: "dt20",
        about: "the weights of DT-20, one piece",
        options: &[],
    },
    Listed {
        name: "el-tetris",
        about: "the weights of El-Tetris, one piece",
        options: &[],
    },
    Listed {
        name: "one-piece",
        about: "looks at the falling piece alone",
        options: &[WEIGHTS],
    },
    Listed {
        name: "two-piece",
        about: "looks at every pair of places where the next piece is known",
        options: &[WEIGHTS],
    },
    Listed {
        name: "expectimax",
        about: "looks at unknown pieces too, each kind equally likely",
        options: &[
            WEIGHTS,
            Setting {
                key: "depth",
                default: "1",
                about: "unknown pieces, 1 to 4",
            },
        ],
    },
    Listed {
        name: "beam",
        about: "keeps the best lines at each known piece, then looks at one unknown piece",
        options: &[
            WEIGHTS,
            Setting {
                key: "width",
                default: "8",
                about: "lines, 1 to 1000",
            },
        ],
    },
];

/// A name that is no policy's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no policy `{name}`: {text}")]
pub struct UnknownPolicy {
    /// The name.
    pub name: String,
    /// What there is, and which of it is nearest.
    pub text: String,
}

/// Every name that [`by_name`] knows, without numbers.
#[must_use]
pub fn names() -> Vec<String> {
    let weights = Model::names();
    let mut names: Vec<String> = weights.iter().map(|w| (*w).to_owned()).collect();
    for plan in PLANS {
        names.push(plan.to_owned());
        names.extend(weights.iter().map(|w| format!("{plan}:{w}")));
    }
    names
}

/// The policy of this name: weights alone (`dt10`, or the path of a file of weights ending in
/// `.toml`) place one piece at a time, unless their file says from when on to look deeper, as
/// `kibitzer`'s does; `one-piece[:WEIGHTS]` never does. `two-piece[:WEIGHTS]`, `expectimax[:WEIGHTS[:DEPTH]]` and
/// `beam[:WEIGHTS[:WIDTH]]` look ahead.
///
/// # Errors
/// When there is none; the text lists the names and the nearest.
pub fn by_name(name: &str) -> Result<Box<dyn Policy>, UnknownPolicy> {
    Ok(Box::new(player(name)?))
}

/// The same as a [`Player`], for simulations.
///
/// # Errors
/// When there is none.
pub fn player(name: &str) -> Result<Player, UnknownPolicy> {
    let unknown = |text: String| UnknownPolicy {
        name: name.to_owned(),
        text,
    };
    let short = match name.contains('=') {
        true => shortened(name).map_err(unknown)?,
        false => name.to_owned(),
    };
    let (plan, rest) = match short.split_once(':') {
        Some((plan, rest)) if PLANS.contains(&plan) => (Some(plan), rest),
        None if PLANS.contains(&short.as_str()) => (Some(short.as_str()), ""),
        _ => (None, short.as_str()),
    };
    // A number may end the name, and weights may be left out before it.
    let (weights, number) = match rest.rsplit_once(':') {
        Some((weights, number)) if plan.is_some() => (weights, Some(number)),
        _ if plan.is_some() && rest.parse::<u32>().is_ok() => ("", Some(rest)),
        _ => (rest, None),
    };
    let weights = if weights.is_empty() && plan.is_some() {
        USUAL_WEIGHTS
    } else {
        weights
    };
    let model = match Model::built_in(weights) {
        Some(model) => model,
        None if Path::new(weights).extension().is_some_and(|e| e == "toml") => {
            Model::load(Path::new(weights)).map_err(|e| unknown(e.to_string()))?
        }
        None => return Err(unknown(nearest(name))),
    };
    let ends_in_number = number.is_some();
    let number = |most: u32, usual: u32| match number {
        None => Ok(usual),
        Some(text) => match text.parse() {
            Ok(n) if (1..=most).contains(&n) => Ok(n),
            _ => Err(unknown(format!(
                "`{text}` must be a number from 1 to {most}"
            ))),
        },
    };
    let plan = match plan {
        None if model.deeper.is_empty() => Plan::One,
        None => Plan::Hybrid,
        Some(plan @ ("one-piece" | "two-piece")) if ends_in_number => {
            return Err(unknown(format!("{plan} takes no number")));
        }
        Some("one-piece") => Plan::One,
        Some("two-piece") => Plan::Two,
        Some("expectimax") => Plan::Expect(number(4, DEPTH)?),
        Some(_) => Plan::Beam(number(1000, WIDTH)?),
    };
    Ok(Player::new(name, model, plan))
}

/// `PLAN:key=value,...` as `PLAN:WEIGHTS:NUMBER`.
fn shortened(name: &str) -> Result<String, String> {
    let mut spec = Spec::parse(name, LIST).map_err(|e| e.text)?;
    let mut short = spec.name().to_owned();
    let weights = spec.take("weights");
    let number = spec.take("depth").or_else(|| spec.take("width"));
    for part in weights.into_iter().chain(number) {
        short.push(':');
        short.push_str(&part);
    }
    Ok(short)
}

/// What there is instead of a name.
fn nearest(name: &str) -> String {
    let names = names();
    let near = names
        .iter()
        .min_by_key(|n| strsim::damerau_levenshtein(n, name));
    let weights = Model::names().join(", ");
    let near = near.map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
    format!(
        "there are {weights}, and files ending in .toml, by themselves or after one-piece:, \
         two-piece:, expectimax: or beam:, which may end in :NUMBER{near}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_make_policies() {
        for name in names() {
            assert_eq!(by_name(&name).expect("known").name(), name);
        }
        let plan = |name: &str| player(name).expect("known").plan();
        assert_eq!(plan("dt20"), Plan::One);
        assert_eq!(plan("kibitzer"), Plan::Hybrid);
        assert_eq!(plan("one-piece:kibitzer"), Plan::One);
        assert_eq!(plan("two-piece"), Plan::Two);
        assert_eq!(plan("expectimax:dellacherie:2"), Plan::Expect(2));
        assert_eq!(plan("expectimax:3"), Plan::Expect(3));
        assert_eq!(plan("beam:bcts:20"), Plan::Beam(20));
    }

    #[test]
    fn options_may_be_written_with_their_keys() {
        let made = player("expectimax:weights=dellacherie,depth=2").expect("known");
        assert_eq!(made.plan(), Plan::Expect(2));
        assert_eq!(made.model().name, "dellacherie");
        assert_eq!(made.name(), "expectimax:weights=dellacherie,depth=2");
        assert_eq!(player("beam:width=3").expect("known").plan(), Plan::Beam(3));
        for listed in LIST {
            by_name(listed.name).expect("listed");
            for option in listed.options {
                let text = format!("{}:{}={}", listed.name, option.key, option.default);
                by_name(&text).expect("its own default");
            }
        }
        let all = names();
        let single = all.iter().filter(|n| !n.contains(':'));
        assert_eq!(single.count(), LIST.len());
    }

    #[test]
    fn an_unknown_name_is_told_with_the_nearest() {
        let told = |name: &str| by_name(name).err().expect("none").to_string();
        assert!(told("delacherie").contains("did you mean `dellacherie`?"));
        assert!(told("two-peace:dt10").contains("did you mean `two-piece:dt10`?"));
        assert!(told("expectimax:dt10:9").contains("1 to 4"));
        assert!(told("two-piece:dt10:3").contains("takes no number"));
        assert!(told("none.toml").contains("none.toml: cannot be read"));
    }
}
