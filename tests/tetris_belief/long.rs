//! Long games under hard conditions.

use super::rig::{Faults, rig};
use kibitzer::games::tetris::agent::{AgentOptions, FallPrior, Mode};
use kibitzer::games::tetris::rules::Game;
use kibitzer::types::Time;

#[test]
fn games_at_the_fastest_level_survive_their_faults() {
    for seed in [1, 2] {
        let mut rig = rig(10, seed, "two-piece:dt10", Faults::hard());
        rig.run_pieces(400);
        assert!(!rig.tally.over, "{:?}", rig.tally);
        assert!(rig.tally.worst_pile < 2000, "{:?}", rig.tally);
        assert!(rig.tally.worst_board < 2000, "{:?}", rig.tally);
        let lost = rig.causes().iter().filter(|c| *c == "key-lost").count() as u64;
        assert!(
            lost >= rig.tally.lost,
            "{lost} of {} lost keys named",
            rig.tally.lost
        );
        assert!(
            rig.tally.dropped_astray * 100 <= rig.tally.pieces,
            "{:?}",
            rig.tally
        );
    }
}

#[test]
fn a_monochrome_board_without_the_next_piece_is_enough() {
    let faults = Faults {
        monochrome: true,
        ..Faults::hard()
    };
    let options = AgentOptions {
        next_shown: false,
        ..super::rig::options()
    };
    let game = Game::new(super::rig::setup(10, 7), Time::ZERO);
    let mut rig = super::rig::Rig::new(game, "dt10", options, faults, 7);
    rig.run_pieces(150);
    assert!(!rig.tally.over, "{:?}", rig.tally);
    assert!(rig.tally.worst_board < 2000, "{:?}", rig.tally);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = || {
        let mut rig = rig(10, 11, "two-piece:dt10", Faults::hard());
        rig.run_pieces(120);
        (rig.tally, rig.findings, rig.decisions)
    };
    assert_eq!(run(), run());
}

#[test]
fn dead_reckoning_loses_where_checking_survives() {
    let play = |mode| {
        let options = AgentOptions {
            mode,
            fall: FallPrior::Standard(Some(10)),
            ..super::rig::options()
        };
        let game = Game::new(super::rig::setup(10, 12), Time::ZERO);
        let mut rig = super::rig::Rig::new(game, "two-piece:dt10", options, Faults::hard(), 12);
        rig.run_pieces(300);
        rig.tally
    };
    let (blind, checked) = (play(Mode::DeadReckoning), play(Mode::RealityCheck));
    assert!(blind.over && blind.pieces < 150, "{blind:?}");
    assert!(blind.worst_wrong > 2000, "{blind:?}");
    assert!(!checked.over && checked.worst_wrong < 2000, "{checked:?}");
}
