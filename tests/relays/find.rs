//! Ports that are searched for the one device that answers.

use std::path::PathBuf;
use std::process::Command;

use kibitzer::act::serial::ports::{PortInfo, identify, resolve};
use kibitzer::act::simulated::{Faults, Manner};
use kibitzer::types::{AUTO, Board, HandsSpec, RelayHands};

use super::Bench;

fn bench(board: Board, size: u8) -> Bench {
    let manner = Manner {
        board,
        size,
        baud: 0,
        ..Manner::default()
    };
    Bench::with(manner, Faults::default())
}

fn info(bench: &Bench) -> PortInfo {
    PortInfo {
        device: PathBuf::from(bench.port()),
        by_id: None,
        usb: None,
        product: None,
    }
}

fn auto(board: Board, size: u8) -> HandsSpec {
    let first = board.kind().first;
    let mut spec = RelayHands::new(board, size, AUTO, vec![("Left".into(), first)]);
    spec.line.boot = std::time::Duration::ZERO;
    HandsSpec::Relays(spec)
}

#[test]
fn every_kind_is_told_by_its_answers_and_none_by_silence() {
    let kinds: Vec<&str> = kibitzer::types::RELAY_BOARDS
        .iter()
        .map(|k| k.word)
        .collect();
    for (board, size) in [
        (Board::Adr2200, 8),
        (Board::Lcus, 4),
        (Board::Numato, 2),
        (Board::Numato, 16),
        (Board::Denkovi, 16),
        (Board::Arduino, 8),
    ] {
        let bench = bench(board, size);
        // An Arduino may take long to start: others are not waited for.
        let asked: Vec<&str> = kinds
            .iter()
            .copied()
            .filter(|k| *k != "arduino" || board == Board::Arduino)
            .collect();
        let found = identify(bench.board.path(), &asked).expect("a port");
        assert_eq!(found, Some((board.kind().word, size)), "{board:?}");
        assert_eq!(bench.board.closed(), 0);
        assert!(bench.board.presses().is_empty(), "nothing was pressed");
    }
    let mute = bench(Board::Adr2200, 8);
    mute.board.set_manner(Manner {
        mute: true,
        ..Manner::default()
    });
    assert_eq!(
        identify(mute.board.path(), &["adr2200"]).expect("a port"),
        None
    );
}

#[test]
fn auto_takes_the_only_one_that_answers() {
    let (adr, lcus) = (bench(Board::Adr2200, 8), bench(Board::Lcus, 4));
    let ports = [info(&adr), info(&lcus)];
    let HandsSpec::Relays(found) = resolve(&auto(Board::Adr2200, 8), &ports).expect("one") else {
        panic!("relays");
    };
    assert_eq!(found.line.port, adr.port());
    // It is free again.
    adr.open(found).expect("a board");

    let text = |spec: &HandsSpec, ports: &[PortInfo]| {
        resolve(spec, ports).expect_err("refused").to_string()
    };
    let none = text(&auto(Board::Denkovi, 16), &ports);
    assert!(
        none.contains("no denkovi was found") && none.contains(&adr.port()),
        "{none}"
    );
    let none = text(&auto(Board::Denkovi, 16), &[]);
    assert!(none.contains("plugged in"), "{none}");
    let twin = bench(Board::Adr2200, 8);
    let many = text(&auto(Board::Adr2200, 8), &[info(&adr), info(&twin)]);
    assert!(
        many.contains("2 devices answer") && many.contains(&twin.port()),
        "{many}"
    );
    let dumb = text(&auto(Board::Lcus, 4), &ports);
    assert!(dumb.contains("needs a device that answers"), "{dumb}");
}

#[test]
fn the_command_tells_what_is_behind_a_port() {
    let numato = bench(Board::Numato, 8);
    let done = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["ports", "--json", "--probe", "--kind", "numato", "--port"])
        .arg(numato.board.path())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let told: serde_json::Value = serde_json::from_slice(&done.stdout).expect("one object");
    assert_eq!(
        (&told["is"], &told["relays"]),
        (&"numato".into(), &8.into()),
        "{told}"
    );
    // Without --probe nothing is written.
    let before = numato.board.heard().len();
    let done = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["ports", "--port"])
        .arg(numato.board.path())
        .output()
        .expect("it runs");
    assert!(done.status.success());
    assert_eq!(numato.board.heard().len(), before);
}
