//! Screenshots that other people took, with boards read by eye.
//!
//! Takes a folder with an `index.tsv` (file, size, repository, path, commit, licence, what is
//! shown, grid, rows of the board, notes, who read it), gives its Flood-It pictures as cases.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::games::flood::target::cases::{Case, Truth};
use crate::types::{BoardText, GridSize, Picture, Point, PxFromCell};

/// Where the pictures lie, if they are there: `KIBITZER_SHARED`, or `shared` beside the package.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let base = std::env::var_os("KIBITZER_SHARED").map_or_else(beside, PathBuf::from);
    let images = base.join("images");
    images.join("index.tsv").is_file().then_some(images)
}

/// All Flood-It pictures of the index.
///
/// # Errors
/// When the index or a picture cannot be read; the text names the file and the line.
pub fn cases(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let index = folder.join("index.tsv");
    let text = std::fs::read_to_string(&index)
        .with_context(|| format!("{}: cannot be read", index.display()))?;
    let mut all = Vec::new();
    for (i, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, .., grid, board, _, _] = fields[..] else {
            continue;
        };
        if !file.starts_with("floodit/") {
            continue;
        }
        let truth = truth(grid, board).ok_or_else(|| {
            anyhow!(
                "{}:{}: grid or board not understood",
                index.display(),
                i + 1
            )
        })?;
        let path = folder.join(file);
        let picture =
            image::open(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
        all.push(Case {
            condition: "pictures".to_owned(),
            name: file.to_owned(),
            picture: Picture::from_rgb(&picture.to_rgb8()),
            truth: Some(truth),
        });
    }
    Ok(all)
}

/// From `cells 28x28 box 8,8-570,570` and rows split by `/`.
fn truth(grid: &str, board: &str) -> Option<Truth> {
    let rows: Vec<&str> = board.split('/').collect();
    let size = GridSize::new(rows.first()?.chars().count() as u16, rows.len() as u16);
    if rows
        .iter()
        .any(|r| r.chars().count() != usize::from(size.cols))
    {
        return None;
    }
    let corners = grid.split_once("box ").and_then(|(_, b)| {
        let n: Vec<f64> = b
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|v| v.parse().ok())
            .collect();
        let [x0, y0, x1, y1] = n[..] else { return None };
        let pitch = (
            (x1 - x0) / f64::from(size.cols),
            (y1 - y0) / f64::from(size.rows),
        );
        Some(PxFromCell::upright(Point::new(x0, y0), pitch.0, pitch.1).corners(size))
    });
    Some(Truth {
        size,
        board: BoardText(board.to_owned()),
        corners,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_line_is_understood() {
        let t = truth("cells 3x2 box 8,8-38,28", "aab/bca").expect("well formed");
        assert_eq!(t.size, GridSize::new(3, 2));
        assert_eq!(t.corners.expect("a box")[2], Point::new(38.0, 28.0));
        assert!(truth("cells 3x2", "aab/bc").is_none());
    }
}
