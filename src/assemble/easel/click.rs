//! One click to try a calibration: through the gate, with the checks of every click.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail, ensure};

use super::follow::first;
use crate::act::Hands as _;
use crate::assemble::{Order, hands, source};
use crate::capture::pace::Pace;
use crate::config::Settings;
use crate::decide::{Gate, Limits};
use crate::pipeline::blocking::Blocking;
use crate::pipeline::saved;
use crate::pipeline::strokes::{is_visible, strokes};
use crate::types::{Action, Calibration, Cell, Clock, Control, Feed, Picture, Point, Stop};

/// How soon a new picture is looked for.
const PACE: Duration = Duration::from_millis(15);

/// How long an effect is waited for.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How far a colour channel must change to be an effect.
const CHANGE: u8 = 24;

/// Where a click landed.
#[derive(Clone, Debug, PartialEq)]
pub struct Landed {
    /// In px of the frame.
    pub px: Point,
    /// On the screen.
    pub screen: Point,
    /// Cells whose middle looks otherwise since then.
    pub changed: Vec<Cell>,
}

/// Clicks a cell and looks what came of it.
///
/// # Errors
/// When the board is not to be seen as it was shown, the cell cannot be reached, or the hands
/// refuse. Nothing was pressed then.
pub(super) fn click(
    order: &Order,
    calibration: &Calibration,
    cell: Cell,
    settings: &Settings,
    (clock, stop): (&Arc<dyn Clock>, &Stop),
) -> anyhow::Result<Landed> {
    ensure!(
        cell.col < calibration.size.cols && cell.row < calibration.size.rows,
        "column {}, row {} is not on this board of {}",
        cell.col,
        cell.row,
        calibration.size
    );
    let pace = Pace::new(PACE);
    let (mut source, window) = source(&order.source, clock, &pace, order.wait, false)?;
    // Opened first: it takes a while, and the frame must be young.
    let (actuator, emergency) = hands(order, window, settings, clock, stop)?;
    let mut hands = Blocking::new(actuator, Arc::clone(clock));
    let before = first(source.as_mut(), clock)?;
    let picture = &before.picture;
    let (w, h) = (picture.width(), picture.height());
    let Some(placement) = before.placement.filter(|_| (w, h) == calibration.image) else {
        bail!("the picture has another size now: look for the board again");
    };
    ensure!(
        saved::quality(calibration, picture) >= Calibration::MIN_QUALITY,
        "the board is not where it was shown: look for it again"
    );
    let at = calibration.px_from_cell.map(cell.centre());
    let reachable = is_visible(calibration, &placement);
    let strokes = strokes(&[Control::Cell(cell)], calibration, &placement);
    let Some(strokes) = strokes.filter(|_| reachable) else {
        bail!("a part of the board lies beyond the edge of the screen");
    };
    let limits = Limits {
        min_interval: Duration::ZERO,
        max_age: Duration::from_secs(1),
        expiry: Duration::from_secs(2),
    };
    let mut gate = Gate::new(true, limits);
    let now = clock.now();
    let permit = gate
        .ask_for_step(now, before.captured_at, reachable)
        .map_err(|why| anyhow!("the click was not permitted: {why:?}"))?;
    let action = Action {
        id: gate.last_granted(),
        cause_seq: before.seq,
        cause_at: before.captured_at,
        expires_at: now + limits.expiry,
        strokes,
        window: placement.window,
        origin: Some((placement.on_screen.x, placement.on_screen.y)),
    };
    if let Some(why) = stop.reason() {
        bail!("nothing was clicked: {why}");
    }
    hands.start(action, permit, now)?;
    let done = hands.poll(clock.now());
    let made = done.ok_or_else(|| anyhow!("the hands do not say how it went"))??;
    gate.ended(clock.now());
    drop(emergency);
    let mut changed = Vec::new();
    let until = clock.now() + PATIENCE;
    while changed.is_empty() && clock.now() < until {
        match source.next(until)? {
            Feed::Frame(after) if after.captured_at > made.up => {
                changed = differing(calibration, picture, &after.picture);
            }
            Feed::Ended(why) => bail!("clicked, and then {why}"),
            Feed::Frame(_) | Feed::Quiet | Feed::Hidden(_) => {}
        }
    }
    Ok(Landed {
        px: at,
        screen: placement.screen_from_px(at, w, h),
        changed,
    })
}

/// The cells whose middles differ.
fn differing(calibration: &Calibration, before: &Picture, after: &Picture) -> Vec<Cell> {
    if (before.width(), before.height()) != (after.width(), after.height()) {
        return calibration.size.cells().collect();
    }
    let differs = |cell: &Cell| {
        let at = calibration.px_from_cell.map(cell.centre());
        let (x, y) = (at.x as u32, at.y as u32);
        if x >= before.width() || y >= before.height() {
            return false;
        }
        let (a, b) = (before.rgb(x, y), after.rgb(x, y));
        (0..3).any(|k| a[k].abs_diff(b[k]) > CHANGE)
    };
    calibration.size.cells().filter(differs).collect()
}
