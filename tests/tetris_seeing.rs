//! Tetris boards found and read: screenshots, sheets, cameras, and what is no board.

use kibitzer::calibrate;
use kibitzer::capture::files;
use kibitzer::capture::simulated::model::{Hand, Pose};
use kibitzer::capture::simulated::{CameraModel, Passing, Webcam};
use kibitzer::classify::Reader;
use kibitzer::cli::bench::seeing::none;
use kibitzer::cli::bench::seeing::tetris::Watch;
use kibitzer::games::tetris::rules::{Board, Kind, System};
use kibitzer::games::tetris::target::paint::{BoardView, Layout, paint_board};
use kibitzer::games::tetris::target::palette::Palette;
use kibitzer::games::tetris::vision;
use kibitzer::games::tetris::vision::sight::Sight;
use kibitzer::types::{BoardKind, Calibration, GridSize, Picture, Point, Reading, Time};

/// Settings of the bench that were once seen wrong.
const SETTINGS: [u64; 5] = [8, 12, 15, 22, 29];

const PILE: &str = "T.........\nTT....#...\nTOO..##..I\nLOOSS###.I\nLLSS.ZZ#.I\nJJJ.TTTZZI";

struct Screen {
    board: Board,
    palette: Palette,
    monochrome: bool,
    sheet: bool,
    next: Option<Option<Kind>>,
    size: (u32, u32),
}

impl Screen {
    fn plain() -> Self {
        let mut text = "..........\n".repeat(14);
        text.push_str(PILE);
        Self {
            board: Board::from_text(&text).expect("a board"),
            palette: Palette::Standard,
            monochrome: false,
            sheet: false,
            next: Some(Some(Kind::L)),
            size: (640, 480),
        }
    }

    fn layout(&self) -> Layout {
        Layout::fit(self.size.0, self.size.1, 10, 20)
    }

    /// Drawn with an S in the air, a shadow and a hint.
    fn drawn(&self) -> Picture {
        let system = System::standard();
        let pose = system.spawn(Kind::S, 10, 20).moved(0, -3);
        let view = BoardView {
            cols: 10,
            rows: 20,
            pile: self.board.cells(),
            piece: Some((Kind::S, system.cells(pose))),
            shadow: Some(system.cells(pose.moved(-1, -8))),
            hint: Some(system.cells(pose.moved(2, -9))),
            next: self.next,
            palette: self.palette,
            monochrome: self.monochrome,
            markers: self.sheet,
            swatches: self.sheet,
        };
        let mut out = Picture::default();
        paint_board(&view, &self.layout(), &mut out);
        out
    }

    /// What must be read, with all kinds or without.
    fn truth(&self, kinds: bool) -> String {
        let mut board = self.board.clone();
        let system = System::standard();
        board.lock(&system, system.spawn(Kind::S, 10, 20).moved(0, -3));
        let text = board.text();
        if kinds {
            return text;
        }
        let plain = |c| if matches!(c, '.' | '/') { c } else { '#' };
        text.chars().map(plain).collect()
    }
}

fn found(picture: &Picture) -> Option<Calibration> {
    let all = calibrate::find(picture, &vision::played(GridSize::new(10, 20)));
    all.into_iter()
        .find(|c| c.quality >= Calibration::MIN_QUALITY)
}

fn read(calibration: &Calibration, picture: &Picture) -> Reading {
    let mut reading = Reading::default();
    let reader = Reader::new(calibration).expect("readable");
    reader
        .read(picture, &mut reading)
        .expect("of the calibrated size");
    reading
}

fn apart(calibration: &Calibration, truth: [Point; 4]) -> f64 {
    let corners = calibration.px_from_cell.corners(calibration.size);
    let far = corners.iter().zip(truth).map(|(a, b)| a.distance(b));
    far.fold(0.0, f64::max)
}

#[test]
fn a_running_game_on_the_screen_is_found_and_read() {
    for size in [(640, 480), (1280, 720), (420, 800)] {
        for (palette, monochrome) in [
            (Palette::Standard, false),
            (Palette::ColourBlind, false),
            (Palette::Standard, true),
        ] {
            let screen = Screen {
                palette,
                monochrome,
                size,
                ..Screen::plain()
            };
            let picture = screen.drawn();
            let c = found(&picture).unwrap_or_else(|| panic!("{size:?} {palette:?}"));
            let layout = screen.layout();
            let far = apart(&c, layout.px_from_cell().corners(layout.size));
            assert!(far < 0.1 * f64::from(layout.cell), "{size:?}: {far} px");
            assert_eq!(c.kind, BoardKind::Stack);
            let reading = read(&c, &picture);
            assert_eq!(vision::text(&reading).0, screen.truth(false), "{size:?}");
            let mut sight = Sight::default();
            sight.look(&reading, &System::standard());
            let piece = sight.piece.expect("a piece in the air");
            assert_eq!((piece.pose.kind, sight.next), (Kind::S, Some(Kind::L)));
        }
    }
}

#[test]
fn a_sheet_says_which_kind_each_colour_is_and_letters_stay() {
    for palette in Palette::ALL {
        let mut screen = Screen {
            palette,
            sheet: true,
            ..Screen::plain()
        };
        let picture = screen.drawn();
        let old = found(&picture).expect("a sheet");
        let text = vision::text(&read(&old, &picture)).0;
        assert_eq!(text, screen.truth(true), "{palette:?}");
        // Found again without the sheet the colours are still known.
        screen.sheet = false;
        screen.size = (700, 500);
        let picture = screen.drawn();
        let mut new = found(&picture).expect("the running game");
        assert!(calibrate::continued(&old, &mut new));
        let text = vision::text(&read(&new, &picture)).0;
        assert_eq!(text, screen.truth(true), "{palette:?}");
    }
}

#[test]
fn an_empty_box_is_no_next_piece() {
    let screen = Screen {
        sheet: true,
        next: Some(None),
        ..Screen::plain()
    };
    let picture = screen.drawn();
    let reading = read(&found(&picture).expect("a sheet"), &picture);
    assert_eq!(reading.beside.len(), 8);
    let mut sight = Sight::default();
    sight.look(&reading, &System::standard());
    assert_eq!(sight.next, None);
}

fn camera() -> CameraModel {
    let mut model = CameraModel {
        pose: Pose {
            tilt_x: -14.0,
            tilt_y: 20.0,
            roll: 4.0,
            aim: Point::new(320.0, 240.0),
            zoom: 0.9,
        },
        ..CameraModel::default()
    };
    model.sensor.blur = 0.8;
    model.sensor.read_noise = 2.0;
    model
}

#[test]
fn a_hand_is_doubt_or_something_filled_and_no_kind() {
    let screen = Screen {
        sheet: true,
        ..Screen::plain()
    };
    let (shown, mut model, mut out) = (screen.drawn(), camera(), Picture::default());
    model.view(&shown, 1, &mut out);
    let c = found(&out).expect("a sheet");
    assert_eq!(vision::text(&read(&c, &out)).0, screen.truth(true));
    model.hand = Some(Hand {
        at: Point::new(300.0, 260.0),
        radius: 30.0,
    });
    model.view(&shown, 2, &mut out);
    let seen = vision::text(&read(&c, &out)).0;
    let wrong: Vec<(char, char)> = seen
        .chars()
        .zip(screen.truth(true).chars())
        .filter(|(a, b)| a != b && !matches!(a, '?' | '#'))
        .collect();
    assert!(seen.contains('?') && wrong.is_empty(), "{seen} {wrong:?}");
}

#[test]
fn a_frame_far_too_bright_or_of_something_else_is_doubt() {
    let screen = Screen {
        sheet: true,
        ..Screen::plain()
    };
    let mut out = Picture::default();
    Webcam::new(camera(), Passing::default()).view(&screen.drawn(), Time::ZERO, 1, &mut out);
    let c = found(&out).expect("a sheet");
    for tone in [[0; 3], [120; 3], [255; 3], [200, 150, 120]] {
        let other = Picture::filled(640, 480, tone);
        let reading = read(&c, &other);
        assert_eq!(reading.unknown(), 200, "{tone:?}");
    }
    for pixel in out.pixels_mut() {
        let bright = |shift: u32| (((*pixel >> shift & 0xff) * 4 + 60).min(255)) << shift;
        *pixel = bright(16) | bright(8) | bright(0);
    }
    assert_eq!(read(&c, &out).unknown(), 200);
}

#[test]
fn pictures_without_a_board_have_none() {
    let mut found_in = Vec::new();
    for seed in 0..none::KINDS.len() as u64 {
        let case = none::case(seed);
        if let Some(c) = found(&case.picture) {
            found_in.push(format!("{}: {} {}", case.name, c.size, c.quality));
        }
    }
    assert_eq!(found_in, [""; 0]);
}

#[test]
fn an_empty_board_and_a_board_of_another_size_are_not_guessed() {
    let mut screen = Screen::plain();
    screen.board = Board::empty(12, 12);
    let mut out = Picture::default();
    let view = BoardView {
        cols: 12,
        rows: 12,
        pile: screen.board.cells(),
        piece: None,
        shadow: None,
        hint: None,
        next: None,
        palette: Palette::Standard,
        monochrome: false,
        markers: false,
        swatches: false,
    };
    paint_board(&view, &Layout::fit(640, 480, 12, 12), &mut out);
    assert!(found(&out).is_none());
    let wanted = vision::played(GridSize::new(10, 20));
    let small = Picture::filled(8, 8, [9; 3]);
    for picture in [Picture::default(), small] {
        assert!(calibrate::find(&picture, &wanted).is_empty());
    }
}

#[test]
fn settings_once_seen_wrong_stay_right() {
    for seed in SETTINGS {
        let mut watch = Watch::new(seed, 200);
        let mut out = Picture::default();
        for seq in 1..=40 {
            watch.frame(seq, &mut out);
        }
        let t = &watch.tally;
        assert_eq!(
            (t.blind, t.cells[1], t.free[2]),
            (0, 0, 0),
            "setting {seed}"
        );
        assert!(
            t.cells_right() > 99.9,
            "setting {seed}: {}",
            t.cells_right()
        );
    }
}

#[test]
fn pictures_of_other_programs_are_read() {
    let shared = std::env::var("KIBITZER_SHARED")
        .unwrap_or_else(|_| format!("{}/../shared", env!("CARGO_MANIFEST_DIR")));
    let folder = std::path::Path::new(&shared).join("images");
    let Ok(index) = std::fs::read_to_string(folder.join("index.tsv")) else {
        println!("skipped: no pictures in {}", folder.display());
        return;
    };
    for line in index.lines().filter(|l| l.starts_with("tetris/")) {
        let fields: Vec<&str> = line.split('\t').collect();
        let truth: String = fields[8]
            .chars()
            .map(|c| if matches!(c, '.' | '/' | '?') { c } else { '#' })
            .collect();
        let picture = files::load(&folder.join(fields[0])).expect("a picture");
        let c = found(&picture).unwrap_or_else(|| panic!("{}", fields[0]));
        let seen = vision::text(&read(&c, &picture)).0;
        assert_eq!(seen, truth, "{}", fields[0]);
    }
}
