//! `kibitzer look IMAGE --game triplex`: the rectangle, what lies in it, what lies beside it and
//! what would be done next.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::out::say;
use crate::games::triplex::plan::{self, Step};
use crate::games::triplex::policies::Exact;
use crate::games::triplex::vision::{self, Piece, Scene};
use crate::types::{BoardState, Budget, Picture, Point, Rect};

/// How long the solver may take; the hardest shipped levels take a few seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Says what a picture shows.
pub fn run(picture: &Picture, as_json: bool) -> ExitCode {
    let scene = vision::see(picture);
    let visible = Rect {
        x: 0,
        y: 0,
        width: picture.width(),
        height: picture.height(),
    };
    let next = scene.as_ref().map(|s| next(s, visible));
    match (scene, next) {
        (Some(scene), Some(next)) if as_json => say(&object(&scene, &next).to_string()),
        (Some(scene), Some(next)) => print(&scene, &next),
        _ if as_json => say(&nothing().to_string()),
        _ => say("no board"),
    }
    ExitCode::SUCCESS
}

/// The next step, or why there is none, in words; `None` when it is solved.
fn next(scene: &Scene, visible: Rect) -> Result<Option<Step>, String> {
    let budget = Budget {
        time: Some(PATIENCE),
        ..Budget::default()
    };
    plan::solution(scene, &mut Exact::new(), &budget)
        .and_then(|solution| plan::next(scene, &solution, visible))
        .map_err(|stuck| stuck.to_string())
}

fn state(scene: &Scene) -> BoardState {
    match (scene.is_solved(), scene.is_whole()) {
        (true, _) => BoardState::GameOver,
        (false, true) => BoardState::Ok,
        (false, false) => BoardState::Covered,
    }
}

fn nothing() -> Value {
    json!({
        "found": false, "game": "triplex", "cols": 0, "rows": 0, "board": [], "classes": {},
        "corners": [], "quality": 0.0, "confidence": 0.0, "figures": [], "state": BoardState::Absent, "next": null, "why": null,
    })
}

fn object(scene: &Scene, next: &Result<Option<Step>, String>) -> Value {
    let px = |p: Point| {
        let px = scene.px_from_cell.map(p);
        json!([super::rounded(px.x, 1), super::rounded(px.y, 1)])
    };
    let corners = scene.px_from_cell.corners(scene.size);
    let figure = |p: &Piece| {
        json!({
            "squares": p.figure.to_string(),
            "loose": p.covers().next().is_none(),
            "at": px(p.corner()),
            "circle": p.circle.map(|c| px(p.centre_of(c))),
        })
    };
    let step = next.as_ref().ok().copied().flatten().map(|s| match s {
        Step::Turn { at } => json!({"turn": px(at)}),
        Step::Drag { from, to, .. } => json!({"drag": [px(from), px(to)]}),
    });
    json!({
        "found": true,
        "game": "triplex",
        "cols": scene.size.cols,
        "rows": scene.size.rows,
        "board": scene.board().rows().collect::<Vec<_>>(),
        "classes": {},
        "corners": corners.map(|p| [super::rounded(p.x, 2), super::rounded(p.y, 2)]),
        "quality": super::rounded(scene.accounted(), 3),
        "confidence": super::rounded(scene.accounted(), 3),
        "figures": scene.pieces.iter().map(figure).collect::<Vec<_>>(),
        "state": state(scene),
        "next": step,
        "why": next.as_ref().err(),
    })
}

fn print(scene: &Scene, next: &Result<Option<Step>, String>) {
    say(&format!("{}\n", scene.board()));
    let loose = scene.loose();
    if !loose.is_empty() {
        say(&format!("beside it: {}", loose.join("  ")));
    }
    let px = |p: Point| {
        let px = scene.px_from_cell.map(p);
        format!("{:.0},{:.0}", px.x, px.y)
    };
    say(&match next {
        Ok(None) => "solved".to_owned(),
        Ok(Some(Step::Turn { at })) => format!("next: click the circle at {}", px(*at)),
        Ok(Some(Step::Drag { from, to, .. })) => {
            format!("next: drag from {} to {}", px(*from), px(*to))
        }
        Err(why) => why.clone(),
    });
    let state = serde_json::to_value(state(scene)).unwrap_or_default();
    say(&format!(
        "\ntriplex, {} cells, {}",
        scene.size,
        state.as_str().unwrap_or_default()
    ));
}
