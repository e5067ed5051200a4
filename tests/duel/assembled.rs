//! Games for two as a run is assembled: who plays by default and by name, what a profile and the
//! command line say of the sides.

use kibitzer::assemble::{self, GAMES, GameOptions, Order, SourceSpec};
use kibitzer::config::{Settings, Sources};
use kibitzer::types::{Beginner, KeyTiming, KindName, SideName};

fn settings(more: &[(&str, &str)]) -> Settings {
    let overrides = more.iter().map(|(k, v)| ((*k).into(), (*v).into()));
    Settings::load(&Sources {
        file: None,
        env: vec![("HOME".into(), "/nowhere".into())],
        overrides: overrides.collect(),
    })
    .expect("valid settings")
}

fn order(game: &str, settings: &Settings) -> Order {
    let source = SourceSpec::Simulated;
    Order::bare("test", "test".into(), source, game, settings)
}

fn policy(game: &str, more: &[(&str, &str)]) -> Result<String, String> {
    let settings = settings(more);
    let player = assemble::player(&order(game, &settings), &settings, KeyTiming::default());
    player
        .map(|p| p.policy().to_owned())
        .map_err(|e| format!("{e:#}"))
}

#[test]
fn the_strongest_plays_when_nobody_says() {
    assert!(GAMES.contains(&"connect4") && GAMES.contains(&"gomoku"));
    assert_eq!(policy("connect4", &[]).as_deref(), Ok("perfect"));
    assert_eq!(policy("gomoku", &[]).as_deref(), Ok("search"));
    for name in ["perfect:book=none", "minimax:depth=3", "general"] {
        let taken = policy("connect4", &[("policy.name", name)]);
        assert_eq!(
            taken.as_deref(),
            Ok(name.split(':').next().expect("a name"))
        );
    }
    let taken = policy("gomoku", &[("policy.name", "evaluator")]);
    assert_eq!(taken.as_deref(), Ok("evaluator"));
}

#[test]
fn settings_become_options_unless_the_policy_has_its_own() {
    let deep = [("policy.name", "minimax"), ("policy.depth", "43")];
    let error = policy("connect4", &deep).expect_err("too deep");
    assert!(error.contains("depth=43"), "{error}");
    let own = [("policy.name", "minimax:depth=2"), ("policy.depth", "43")];
    assert!(policy("connect4", &own).is_ok());
    let large = [("policy.memory_mb", "5000")];
    let error = policy("gomoku", &large).expect_err("too large");
    assert!(error.contains("memory=5000"), "{error}");
}

#[test]
fn what_does_not_exist_is_told_with_what_does() {
    let error = policy("gomoku", &[("policy.name", "serch")]).expect_err("no such policy");
    assert!(error.contains("search, evaluator"), "{error}");
    let error = policy("gomoku", &[("policy.name", "tbp:bot")]).expect_err("not its protocol");
    assert!(error.contains("piskvork:COMMAND"), "{error}");
    let outside = [
        ("policy.name", "piskvork:cat"),
        ("policy.fallback", "serch"),
    ];
    let error = policy("gomoku", &outside).expect_err("no such fallback");
    assert!(
        error.contains("policy.fallback") && error.contains("serch"),
        "{error}"
    );
    let error = policy("connect4", &[("policy.name", "jsonl:/no/such/bot")]);
    assert!(error.expect_err("no such program").contains("/no/such/bot"));
}

#[test]
fn a_program_from_outside_stands_before_the_fallback() {
    // It answers nothing that is a move.
    let outside = [("policy.name", "jsonl:cat"), ("policy.fallback", "minimax")];
    assert_eq!(policy("connect4", &outside).as_deref(), Ok("jsonl:cat"));
    let outside = [("policy.name", "piskvork:cat")];
    assert_eq!(policy("gomoku", &outside).as_deref(), Ok("piskvork:cat"));
}

#[test]
fn the_command_line_says_who_is_who_before_the_profile() {
    let red = SideName::Kind(KindName::Colour("red"));
    let mut options = GameOptions::usual("connect4");
    options.say(Some(red), None).expect("a game of sides");
    options
        .say(None, Some(Beginner::They))
        .expect("a game of sides");
    let GameOptions::Connect4(said) = &options else {
        panic!("connect4");
    };
    assert_eq!(
        (said.who.side, said.who.begins),
        (Some(red), Some(Beginner::They))
    );
    let error = options
        .say(Some(SideName::First), None)
        .expect_err("it contradicts itself");
    assert!(error.to_string().contains("contradict"), "{error}");
    let error = GameOptions::usual("flood")
        .say(Some(red), None)
        .expect_err("no sides");
    assert!(error.to_string().contains("connect4 and gomoku"), "{error}");
    assert!(GameOptions::usual("flood").say(None, None).is_ok());
}
