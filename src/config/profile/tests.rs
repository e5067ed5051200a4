use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::types::{
    Beginner, Border, ClassLook, GainField, KindName, Plate, Point, PxFromCell, SideName,
    StoneShape, Veil, Well,
};

#[test]
fn every_shipped_profile_is_good_and_holds_nothing_that_can_be_found() {
    for (name, text) in SHIPPED {
        let p = Profile::parse(name, name, text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(
            (p.size, p.calibration, p.classes.len()),
            (None, None, 0),
            "{name}"
        );
    }
    let (_, text) = SHIPPED
        .iter()
        .find(|(n, _)| *n == "sgt-flood")
        .expect("shipped");
    let p = Profile::parse("sgt-flood", "f", text).expect("good");
    assert_eq!(p.game, "flood");
    assert_eq!(p.new_game, [Control::Key("n".into())]);
    let Source::Window { title, .. } = p.source else {
        panic!("a window")
    };
    assert_eq!(title.as_deref(), Some("Flood"));
}

pub(super) fn word() -> impl Strategy<Value = String> {
    "[ -~äß\t\n]{1,12}".prop_filter("not blank", |s| !s.trim().is_empty())
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        (word(), proptest::option::of(word()), any::<Option<u32>>()).prop_map(
            |(title, class, id)| Source::Window {
                title: Some(title),
                class,
                id
            }
        ),
        word().prop_map(Source::Screen),
        (-32_768i32..32_767, -100i32..100, 1u32..32_767, 1u32..9).prop_map(
            |(x, y, width, height)| Source::Region(Rect {
                x,
                y,
                width,
                height
            })
        ),
        "/[a-z ]{1,9}".prop_map(|p| Source::File(p.into())),
        super::camera::tests::camera().prop_map(Source::Camera),
        (any::<i32>(), word(), any::<bool>()).prop_map(|(seed, text, on)| {
            Source::Simulated(serde_json::json!({
                "seed": seed, "setup": {"text": text, "on": on, "list": [1, 2.5, 3]},
            }))
        }),
    ]
}

fn ms() -> impl Strategy<Value = Option<Duration>> {
    proptest::option::of((50u64..60_000).prop_map(Duration::from_millis))
}

fn calibration() -> impl Strategy<Value = Calibration> {
    // As JSON, so that a field that may be absent needs no mention.
    let look = (any::<char>(), any::<[u8; 3]>(), 0.0f32..9.0).prop_map(|(letter, rgb, spread)| {
        let rgb = rgb.map(|v| f32::from(v) / 3.0);
        let look = serde_json::json!({
            "letter": letter, "rgb": rgb, "spread": spread, "mark": [spread, 0.5, 255.0],
        });
        serde_json::from_value::<ClassLook>(look).expect("a class")
    });
    (
        1u16..30,
        1u16..30,
        any::<(u32, u32)>(),
        0.1f64..50.0,
        -500.0f64..500.0,
        proptest::collection::vec(look, 0..5),
        -1.0f32..1.0,
        0.0f32..=1.0,
    )
        .prop_map(
            |(cols, rows, image, scale, shift, classes, gain, quality)| Calibration {
                kind: BoardKind::Holes,
                size: GridSize::new(cols, rows),
                image,
                px_from_cell: PxFromCell([scale, 0.01, shift, 0.0, scale, -shift, 1e-4, 0.0, 1.0]),
                classes,
                beside: Vec::new(),
                border: (quality < 0.5).then_some(Border {
                    rgb: [gain.abs() * 200.0; 3],
                    out: 0.15,
                }),
                well: (gain < 0.0).then_some(Well {
                    empty: [[gain * 9.0, 1e-6, 0.0, gain, 0.5, 0.0]; 3],
                    limit: quality * 200.0,
                }),
                plate: (quality > 0.3).then_some(Plate {
                    rgb: [gain.abs() * 90.0; 3],
                    spread: 2.5,
                    gloss: vec![[1, 2, 255]; usize::from(quality > 0.8)],
                    veil: quality > 0.9,
                    hole: (0.4, 0.375),
                    open: quality > 0.6,
                }),
                stones: (quality > 0.4).then_some(StoneShape {
                    radius: 0.45,
                    shift: Point::new(0.1, -0.2),
                }),
                gain: GainField([[gain, 0.0, gain / 3.0, 0.0, 1e-9, 0.0]; 3]),
                veil: Veil::default(),
                quality,
                residual: quality / 7.0,
            },
        )
}

fn profile() -> impl Strategy<Value = Profile> {
    let step = prop_oneof![
        "[A-Za-z_0-9]{1,8}".prop_map(Control::Key),
        (-99.0f64..99.0, -9.0f64..9.0).prop_map(|(x, y)| Control::At(Point::new(x, y))),
    ];
    let class = (b'a'..=b'z', any::<[u8; 3]>());
    let first = (
        source(),
        word(),
        proptest::option::of(1u32..1000),
        proptest::collection::vec(step, 0..3),
        proptest::option::of((any::<u16>(), any::<u16>())),
        proptest::option::of((1u16..1000, 1u16..1000)),
    );
    let second = (
        proptest::collection::btree_map(b'a'..=b'z', class, 0..6),
        proptest::option::of(calibration()),
        proptest::collection::btree_map(b'a'..=b'z', (-99.5f64..99.0, 0.0f64..9.0), 0..4),
        (ms(), ms(), ms(), ms()),
        0..5u8,
        super::hands::tests::hands(),
    );
    (first, second, tetris(), duel()).prop_map(|(first, second, tetris, (duel_game, duel))| {
        let (source, game, limit, new_game, start, size) = first;
        let (classes, calibration, swatches, (settle, hold, gap, confirm), kind, hands) = second;
        let swatches: Vec<Swatch> = swatches
            .into_iter()
            .map(|(letter, (x, y))| Swatch {
                letter: letter.into(),
                at: Point::new(x, y),
            })
            .collect();
        Profile {
            name: "p".into(),
            source,
            game: duel_game.map_or(game, str::to_owned),
            limit,
            new_game,
            script: Script::default(),
            start: start.map(|(col, row)| Cell { col, row }),
            size: size.map(|(c, r)| GridSize::new(c, r)),
            kind: [
                None,
                Some(BoardKind::Cells),
                Some(BoardKind::Holes),
                Some(BoardKind::Crossings),
                Some(BoardKind::Stack),
            ][usize::from(kind)],
            classes: classes
                .into_iter()
                .map(|(letter, (_, rgb))| Class {
                    letter: letter.into(),
                    rgb,
                })
                .collect(),
            calibration,
            click: if swatches.is_empty() || duel.drop == Drop::Top {
                Click::Cell
            } else {
                Click::Swatches(swatches)
            },
            timing: Timing {
                settle,
                hold,
                gap,
                confirm,
            },
            hands,
            // Texts of every kind are tried above.
            fallback: limit.map(|n| format!("lookahead:depth={n}")),
            tetris,
            duel,
        }
    })
}

/// With the game that they are for; Connect-4 with keys has a size of which nobody knows.
fn duel() -> impl Strategy<Value = (Option<&'static str>, Duel)> {
    let kind = || {
        prop_oneof![
            Just(KindName::Colour("red")),
            "[a-zA-Z0-9]".prop_map(|t| KindName::Letter(t.chars().next().unwrap_or('a'))),
        ]
    };
    let side = prop_oneof![Just(SideName::First), kind().prop_map(SideName::Kind)];
    let begins = prop_oneof![Just(Beginner::We), kind().prop_map(Beginner::Kind)];
    let key = || "[A-Za-z_0-9]{1,8}";
    let stands = prop_oneof![
        Just(Stands::Anywhere),
        Just(Stands::Last),
        Just(Stands::Middle)
    ];
    let drop = prop_oneof![
        Just(Drop::Hole),
        Just(Drop::Top),
        (key(), key(), key(), stands).prop_map(|(left, right, drop, stands)| Drop::Cursor {
            left,
            right,
            drop,
            stands
        }),
    ];
    let said = (proptest::option::of(side), proptest::option::of(begins));
    let row = proptest::option::of(2u16..36);
    (0..3u8, said, row, any::<bool>(), drop).prop_map(|(game, (side, begins), row, exact, drop)| {
        let sides = Duel {
            side,
            begins,
            ..Duel::default()
        };
        match game {
            0 => (None, Duel::default()),
            1 => (Some("gomoku"), Duel { exact, ..sides }),
            _ => (Some("connect4"), Duel { row, drop, ..sides }),
        }
    })
}

#[test]
fn what_is_said_of_two_sides_is_read_and_what_contradicts_itself_is_told() {
    let read = |game: &str, more: &str| {
        let text = format!("version = 1\n[source]\nwindow = \"T\"\n[game]\nname = \"{game}\"\n");
        Profile::parse("p", "p", &format!("{text}{more}"))
    };
    let p = read(
        "connect4",
        "side = \"yellow\"\nbegins = \"we\"\n[connect4]\nkeys = \"a b c d\"\n[board]\ncols = 4\nrows = 4\n",
    );
    let duel = p.expect("good").duel;
    assert_eq!(duel.side, Some(SideName::Kind(KindName::Colour("yellow"))));
    assert_eq!(duel.begins, Some(Beginner::We));
    assert_eq!(
        duel.drop,
        Drop::Keys(["a", "b", "c", "d"].map(String::from).to_vec())
    );
    let wrong = [
        (
            "flood",
            "side = \"red\"\n",
            "p:6: game.side is for connect4 and gomoku only",
        ),
        ("gomoku", "side = \"mauve\"\n", "p:6: game.side = \"mauve\""),
        (
            "gomoku",
            "[connect4]\nrow = 5\n",
            "p:7: connect4.row is for connect4 only",
        ),
        (
            "connect4",
            "[gomoku]\nrule = \"exact\"\n",
            "p:7: gomoku.rule is for gomoku only",
        ),
        (
            "connect4",
            "side = \"second\"\nbegins = \"we\"\n",
            "p:7: game.begins and game.side contradict each other",
        ),
        (
            "connect4",
            "[connect4]\nleft = \"Left\"\n",
            "p:7: connect4.left, connect4.right and connect4.drop belong together",
        ),
        (
            "connect4",
            "[connect4]\ncursor = \"last\"\n",
            "p:7: connect4.cursor is used with",
        ),
        (
            "connect4",
            "[connect4]\nkeys = \"a b\"\n[controls]\nclick = \"top\"\n",
            "p:7: a move is made in one way",
        ),
        (
            "connect4",
            "[connect4]\nkeys = \"a b\"\n[board]\ncols = 7\nrows = 6\n",
            "p:7: connect4.keys: 2 keys for 7 columns",
        ),
        (
            "gomoku",
            "[controls]\nclick = \"top\"\n",
            "p:7: controls.click = \"top\" is for connect4 only",
        ),
    ];
    for (game, more, expected) in wrong {
        let error = read(game, more).expect_err(more).to_string();
        assert!(error.contains(expected), "{more}\n{error}");
    }
}

fn tetris() -> impl Strategy<Value = Tetris> {
    let key = || proptest::option::of("[a-z]{1,6}");
    let next = (
        (-99.5f64..99.0, -9.0f64..9.0),
        (1u16..9, 1u16..9),
        0.1f64..10.0,
    );
    let next = next.prop_map(|((x, y), (cols, rows), pitch)| SideGrid {
        at: Point::new(x, y),
        size: GridSize::new(cols, rows),
        pitch,
    });
    (
        (key(), key(), key(), key(), key()),
        proptest::option::of(next),
        (proptest::option::of(1u64..60_000), ms(), any::<bool>()),
    )
        .prop_map(|(keys, next, (fall, clear, dead_reckoning))| {
            let (system, left, right, rotate, drop) = keys;
            Tetris {
                system,
                next,
                left,
                right,
                rotate,
                drop,
                fall: fall.map(Duration::from_millis),
                clear,
                dead_reckoning,
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_written_reads_back_as_the_same_profile(p in profile()) {
        let text = p.to_toml().expect("TOML can hold it");
        let back = Profile::parse("p", "/d/p.toml", &text);
        let back = back.unwrap_or_else(|e| panic!("{e}\n{text}"));
        prop_assert_eq!(back, p, "{}", text);
    }
}
