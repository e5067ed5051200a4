//! Hands in profiles: read, refused with a line, written so that they read back.

use std::time::Duration;

use proptest::prelude::*;

use super::super::Profile;
use super::super::tests::word;
use crate::types::{
    Board, Focus, HandsSpec, KernelHands, LineSpec, Point, Pointing, RELAY_BOARDS, RelayHands,
    ScreenHands, UsbHands,
};

pub(in super::super) fn hands() -> impl Strategy<Value = Option<HandsSpec>> {
    let ms = || (1u64..60_000).prop_map(Duration::from_millis);
    let focus = prop_oneof![Just(Focus::Check), Just(Focus::Take), Just(Focus::Click)];
    let screen = (ms(), ms(), ms(), focus).prop_map(|(hold, gap, latency, focus)| {
        HandsSpec::Screen(ScreenHands {
            hold,
            gap,
            latency,
            focus,
            focus_clicks: focus == Focus::Check,
        })
    });
    let line = (
        word(),
        300u32..921_600,
        any::<bool>(),
        proptest::option::of(any::<bool>()),
        ms(),
        (0u64..=100).prop_map(Duration::from_millis),
    );
    let line = line.prop_map(|(port, baud, handshake, dtr, boot, spacing)| LineSpec {
        baud,
        handshake,
        boot,
        dtr,
        spacing,
        ..LineSpec::new(&port)
    });
    let line = line.boxed();
    let pointing = prop_oneof![
        Just(None),
        (1u32..=65_536, 1u32..=65_536).prop_map(|screen| {
            Some(Pointing {
                screen: Some(screen),
                ..Pointing::default()
            })
        }),
        (0.0..100.0f64).prop_map(|d| {
            let corner = |x, y| Point::new(x + d, y - d / 3.0);
            let corners = [
                corner(0.5, 0.0),
                corner(640.0, d),
                corner(600.0, 480.25),
                corner(-d, 400.0),
            ];
            Some(Pointing {
                corners: Some(corners),
                ..Pointing::default()
            })
        }),
    ];
    let wiring = proptest::collection::btree_map("[a-z+ß. ]{0,5}[0-9]", 1u8..=2, 1..6);
    let kind = prop::sample::select(RELAY_BOARDS.to_vec());
    let relays = (kind, line.clone(), wiring, ms(), ms(), ms());
    let relays = relays.prop_map(|(kind, line, wiring, lead, hold, gap)| {
        let size = *kind.sizes.last().expect("some");
        let relays = wiring.into_iter().collect();
        HandsSpec::Relays(RelayHands {
            line,
            lead,
            hold,
            gap,
            ..RelayHands::new(kind.board, size, "", relays)
        })
    });
    let usb = (line, pointing.clone(), ms(), ms()).prop_map(|(line, pointing, lead, hold)| {
        HandsSpec::Usb(UsbHands {
            line,
            lead,
            hold,
            pointing,
            ..UsbHands::new("")
        })
    });
    let kernel = (pointing, ms(), ms()).prop_map(|(pointing, hold, gap)| {
        HandsSpec::Kernel(KernelHands {
            hold,
            gap,
            pointing,
            ..KernelHands::default()
        })
    });
    proptest::option::of(prop_oneof![screen, relays, usb, kernel])
}

#[test]
fn hands_are_read_and_what_is_wrong_with_them_is_told_with_its_line() {
    let head = "version = 1\n[source]\nwindow = \"T\"\n[game]\nname = \"tetris\"\n";
    let read = |hands: &str| Profile::parse("p", "p", &format!("{head}{hands}"));
    let p = read(
        "[hands]\nkind = \"adr2200\"\nport = \"/dev/ttyUSB0\"\nhold_ms = 40\n\
         [hands.relays]\nLeft = 0\n\"ctrl+n\" = 4\n",
    );
    let relays = vec![("Left".to_owned(), 0), ("ctrl+n".to_owned(), 4)];
    let expected = RelayHands {
        hold: Duration::from_millis(40),
        ..RelayHands::adr2200("/dev/ttyUSB0", relays)
    };
    assert_eq!(p.expect("good").hands, Some(HandsSpec::Relays(expected)));
    let p = read(
        "[hands]\nkind = \"lcus\"\nsize = 4\nport = \"/dev/ttyUSB0\"\nspacing_ms = 20\n\
         dtr = false\n[hands.relays]\nLeft = 1\nRight = 4\n",
    );
    let relays = vec![("Left".to_owned(), 1), ("Right".to_owned(), 4)];
    let mut expected = RelayHands::new(Board::Lcus, 4, "/dev/ttyUSB0", relays);
    (expected.line.spacing, expected.line.dtr) = (Duration::from_millis(20), Some(false));
    assert!(!expected.line.handshake, "most of them answer nothing");
    assert_eq!(p.expect("good").hands, Some(HandsSpec::Relays(expected)));
    let p = read("[hands]\nkind = \"keyboard\"\nfocus = \"check\"\n");
    let expected = ScreenHands {
        focus: Focus::Check,
        ..ScreenHands::default()
    };
    assert_eq!(p.expect("good").hands, Some(HandsSpec::Screen(expected)));
    let p = read(
        "[hands]\nkind = \"ch9329\"\nport = \"auto\"\nbaud = 115200\nscreen = [1920, 1080]\n\
         relative = true\n",
    );
    let mut expected = UsbHands {
        pointing: Some(Pointing {
            screen: Some((1920, 1080)),
            relative: true,
            ..Pointing::default()
        }),
        ..UsbHands::new("auto")
    };
    expected.line.baud = 115_200;
    assert_eq!(p.expect("good").hands, Some(HandsSpec::Usb(expected)));
    assert_eq!(read("").expect("good").hands, None);

    let adr = "[hands]\nkind = \"adr2200\"\nport = \"x\"\n";
    let lcus = "[hands]\nkind = \"lcus\"\nport = \"x\"\n";
    let chip = "[hands]\nkind = \"ch9329\"\n";
    let wrong = [
        (chip, "p:7: hands.port is missing"),
        (
            &format!("{lcus}[hands.relays]\na = 1\n"),
            "p:7: hands.size is missing: write how many relays the board has (1, 2, 4, 8)",
        ),
        (
            &format!("{lcus}size = 3\n[hands.relays]\na = 1\n"),
            "p:9: hands.size = 3: not allowed; the LCUS board has 1 or 2 or 4 or 8 relays",
        ),
        (
            &format!("{lcus}size = 2\n[hands.relays]\na = 0\n"),
            "p:11: hands.relays.a = 0: not allowed; allowed is a relay from 1 to 2",
        ),
        (
            &format!("{chip}port = \"x\"\nsize = 8\n"),
            "p:9: hands.size is for a relay board",
        ),
        (
            &format!("{chip}port = \"x\"\nrelative = true\n"),
            "p:9: hands.relative needs the size of the screen",
        ),
        (
            "[hands]\nkind = \"uinput\"\ncorners = [0, 0, 9, 9, 9, 0, 0, 9]\n",
            "p:8: hands.corners is no screen",
        ),
        (
            "[hands]\nkind = \"uinput\"\nport = \"x\"\n",
            "p:8: hands.port is for a device on a serial line",
        ),
        ("[hands]\nhold_ms = 3\n", "p:7: hands.kind is missing"),
        ("[hands]\nkind = \"piano\"\n", "p:7: hands.kind = \"piano\""),
        (
            "[hands]\nkind = \"adr2200\"\n[hands.relays]\nLeft = 0\n",
            "p:7: hands.port is missing",
        ),
        (adr, "p:7: [hands.relays] is missing"),
        (
            &format!("{adr}focus = \"take\"\n[hands.relays]\na = 1\n"),
            "p:9: hands.focus is for",
        ),
        (
            &format!("{adr}[hands.relays]\na = 8\n"),
            "p:10: hands.relays.a = 8: not allowed",
        ),
        (
            &format!("{adr}[hands.relays]\na = \"1\"\n"),
            "p:10: hands.relays.a",
        ),
        (
            &format!("{adr}[hands.relays]\na = 1\nA = 2\n"),
            "p:11: hands.relays.A: the key is there twice",
        ),
        (
            &format!("{adr}[hands.relays]\n\"\" = 1\n"),
            "p:10: hands.relays: a key without",
        ),
        (
            &format!("{adr}relays = 3\n"),
            "hands.relays is not a section",
        ),
        (
            "[hands]\nkind = \"keyboard\"\nport = \"x\"\n",
            "p:8: hands.port is for a device on a serial line",
        ),
        (
            "[hands]\nkind = \"keyboard\"\n[hands.relays]\na = 1\n",
            "[hands.relays] is for a relay board",
        ),
        (
            "[hands]\nkin = \"keyboard\"\n",
            "unknown key hands.kin; did you mean hands.kind?",
        ),
        (
            "[hands]\nkind = \"adr2200\"\nhold_ms = 0\n",
            "p:8: hands.hold_ms = 0: not allowed",
        ),
    ];
    for (hands, expected) in wrong {
        let error = read(hands).expect_err(hands).to_string();
        assert!(error.contains(expected), "{hands}\n{error}");
    }
}
