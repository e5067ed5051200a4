//! Other people's pictures with boards read by eye, through `kibitzer look`.

use std::collections::HashMap;

use crate::support;
use crate::support::program::kibitzer;

/// Pictures that are read to the last cell.
const EXACT: [&str; 10] = [
    "floodit/bart_board.png",
    "floodit/btim_1.jpg",
    "floodit/openflood_shot.png",
    "connect4/andrew_Image.png",
    "connect4/andrew_m2_input.png",
    "go/gob_few_stones_overhead.jpeg",
    "go/gbr_97.png",
    "go/gbr_107.png",
    "go/gob_stones_overhead.jpg",
    "tetris/mv_tetrio.png",
];

/// Labelled as the file has its pixels, a quarter turned to the left of how the camera was held,
/// which is what the file says and how it is read.
const AS_STORED: &str = "go/gob_stones_overhead.jpg";

/// Photographs of which at least 99 cells in 100 are read.
const NEARLY: [&str; 1] = ["go/gob_empty_angled.jpeg"];

/// The game of a folder.
fn game(file: &str) -> &'static str {
    match file.split('/').next() {
        Some("connect4") => "connect4",
        Some("go") => "gomoku",
        Some("tetris") => "tetris",
        _ => "flood",
    }
}

/// Cells that differ, whatever the letters are called; each letter stands for one class.
fn differing(seen: &str, truth: &str) -> usize {
    assert_eq!(seen.len(), truth.len(), "{seen}\n{truth}");
    let mut votes: HashMap<char, HashMap<char, usize>> = HashMap::new();
    for (s, t) in seen.chars().zip(truth.chars()) {
        *votes.entry(s).or_default().entry(t).or_default() += 1;
    }
    let means = |s: char| votes[&s].iter().max_by_key(|v| v.1).map(|v| *v.0);
    let wrong = |(s, t): &(char, char)| *s == '?' || means(*s) != Some(*t);
    seen.chars().zip(truth.chars()).filter(wrong).count()
}

/// The board turned by a quarter to the right.
fn turned_right(rows: &[&str]) -> Vec<String> {
    let rows: Vec<Vec<char>> = rows.iter().map(|r| r.chars().collect()).collect();
    (0..rows[0].len())
        .map(|x| rows.iter().rev().map(|row| row[x]).collect())
        .collect()
}

#[test]
fn other_peoples_pictures_are_read() {
    let Some(shared) = support::shared() else {
        return;
    };
    let folder = shared.join("images");
    let Ok(index) = std::fs::read_to_string(folder.join("index.tsv")) else {
        println!("skipped: no pictures in {}", folder.display());
        return;
    };
    let rows: HashMap<&str, &str> = index
        .lines()
        .filter_map(|l| Some((l.split('\t').next()?, l.split('\t').nth(8)?)))
        .collect();
    for (file, least) in EXACT
        .map(|f| (f, 1.0))
        .into_iter()
        .chain(NEARLY.map(|f| (f, 0.99)))
    {
        let path = folder.join(file);
        let path = path.to_str().expect("UTF-8");
        let look = kibitzer(&["look", path, "--game", game(file), "--json"], "");
        let answer = &look.objects()[0];
        assert_eq!(answer["found"], true, "{file}: {}", look.err);
        let board = answer["board"].as_array().expect("rows");
        let seen: Vec<&str> = board.iter().filter_map(|r| r.as_str()).collect();
        let mut truth: Vec<&str> = rows[file].split('/').collect();
        let turned = turned_right(&truth);
        if file == AS_STORED {
            truth = turned.iter().map(String::as_str).collect();
        }
        let truth = truth.concat();
        let wrong = differing(&seen.concat(), &truth);
        let right = 1.0 - wrong as f64 / truth.len() as f64;
        assert!(
            right >= least,
            "{file}: {wrong} cells differ\n{}",
            seen.join("\n")
        );
    }
}
