//! The target itself: what keys and the pointer do, and what is drawn in which order.

use std::time::Duration;

use super::advice::Advice;
use super::contest::Contest;
use super::level::Level;
use super::manner::{Manner, Mark, Message, RowMark};
use super::paint;
use super::plan::{Plan, Rims};
use super::session::{Finish, Session};
use super::words::Words;
use crate::games::duel::Side;
use crate::types::{BoardText, Cell, Picture, Point, Pointer, Target, Time};

/// A last move that blinks is away for this long, there for as long, and so on.
const BLINK: Duration = Duration::from_millis(280);
/// How often it is away.
const BLINKS: u128 = 3;
/// From the end of a game to the box that tells it: the last move is seen before.
const MESSAGE_AFTER: Duration = Duration::from_millis(600);

/// What a key of the board does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steer<M> {
    /// The cursor goes to a cell.
    To(Cell),
    /// A move is made.
    Play(M),
}

/// The move of a board.
type MoveOf<F> = <<F as Face>::Board as Contest>::Move;

/// How a game looks and is held. All drawing is in px of a picture with the plan's places.
pub trait Face: Send {
    /// Its rules.
    type Board: Contest;

    /// The game's name in the title.
    fn game(&self) -> &'static str;

    /// Colours, marks and messages.
    fn manner(&self) -> &Manner;

    /// Room around the cells.
    fn rims(&self) -> Rims;

    /// Width of the lines, in cells.
    fn line(&self) -> f64;

    /// Draws the empty board over a face that is already there.
    fn scene(&self, plan: &Plan, out: &mut Picture);

    /// Draws a stone at rest, of colour 0 or 1.
    fn stone(&self, plan: &Plan, cell: Cell, stone: usize, out: &mut Picture);

    /// How long a stone takes to a cell.
    fn travel(&self, cell: Cell) -> Duration;

    /// Draws a stone on its way, so long after its move.
    fn travelling(&self, plan: &Plan, cell: Cell, stone: usize, since: Duration, out: &mut Picture);

    /// The allowed move that a click at a point of cell space means.
    fn aim(&self, board: &Self::Board, at: Point) -> Option<MoveOf<Self>>;

    /// What a key of the board does; `None` for the keys that all games share.
    fn steer(
        &self,
        board: &Self::Board,
        cursor: Option<Cell>,
        key: &str,
    ) -> Option<Steer<MoveOf<Self>>>;

    /// Whether a key acts again while it is held down.
    fn repeats(&self, key: &str) -> bool;

    /// Shows the move under the pointer, or `by_keys` under the cursor, where the look does.
    fn pending(&self, plan: &Plan, cell: Cell, stone: usize, by_keys: bool, out: &mut Picture);

    /// The best move known; with `scores` what every move is worth, if the game has that.
    fn advise(&mut self, board: &Self::Board, scores: bool) -> Advice<MoveOf<Self>>;
}

/// A target for two.
pub struct FacingTarget<F: Face> {
    face: F,
    session: Session<F::Board>,
    plan: Plan,
    sheet: bool,
    pointer: Option<Point>,
    cursor: Option<Cell>,
    hint: bool,
    scores: bool,
    advised: Option<Advised<MoveOf<F>>>,
    /// Somebody is asked whether he gives up.
    asked: bool,
    /// The message at the end has been closed.
    read: bool,
    words: Words,
    still: Still,
}

/// A hint and the position it is for.
struct Advised<M> {
    moves: Vec<M>,
    scores: bool,
    advice: Advice<M>,
}

/// The empty board, and the board with all stones but the last.
#[derive(Default)]
struct Still {
    plan: Option<Plan>,
    scene: Picture,
    picture: Picture,
    stones: Vec<(Cell, usize)>,
}

impl<F: Face> FacingTarget<F> {
    /// A target that shows a session.
    #[must_use]
    pub fn new(face: F, session: Session<F::Board>, picture: (u32, u32)) -> Self {
        let size = session.board().size();
        let plan = Plan::fit(picture, size, face.rims(), face.line(), false);
        let mut target = Self {
            face,
            session,
            plan,
            sheet: false,
            pointer: None,
            cursor: None,
            hint: false,
            scores: false,
            advised: None,
            asked: false,
            read: false,
            words: Words::default(),
            still: Still::default(),
        };
        target.say();
        target
    }

    /// With markers and swatches around the board from the beginning.
    #[must_use]
    pub fn with_sheet(mut self, on: bool) -> Self {
        self.sheet = on;
        self.refit(self.plan.picture);
        self
    }

    /// With hints from the beginning: the best move, and what every move is worth.
    #[must_use]
    pub fn with_hints(mut self, best: bool, scores: bool) -> Self {
        (self.hint, self.scores) = (best || scores, scores);
        self.say();
        self
    }

    /// Where everything is drawn.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How it looks.
    #[must_use]
    pub const fn face(&self) -> &F {
        &self.face
    }

    /// What is played.
    #[must_use]
    pub const fn session(&self) -> &Session<F::Board> {
        &self.session
    }

    /// What the status line says.
    #[must_use]
    pub fn status(&self) -> &str {
        &self.words.status
    }

    /// The hint that is shown, if one is.
    #[must_use]
    pub fn advice(&self) -> Option<&Advice<MoveOf<F>>> {
        self.advised.as_ref().map(|a| &a.advice)
    }

    /// Carries out what is due: the policy's move, hints.
    pub fn run(&mut self, now: Time) {
        let face = &self.face;
        self.session.advance(now, |cell| face.travel(cell));
        self.advise(now);
        self.say();
    }

    fn say(&mut self) {
        let manner = self.face.manner();
        self.words
            .update(self.face.game(), &self.session, manner, self.hint);
    }

    fn refit(&mut self, picture: (u32, u32)) {
        let size = self.session.board().size();
        let (rims, line) = (self.face.rims(), self.face.line());
        self.plan = Plan::fit(picture, size, rims, line, self.sheet);
    }

    fn advise(&mut self, now: Time) {
        if !self.hint || !self.session.awaits_thought(now) {
            self.advised = None;
            return;
        }
        let moves = self.session.moves();
        let still_right = self.advised.as_ref().is_some_and(|a| {
            a.scores == self.scores && a.moves.iter().eq(moves.iter().map(|m| &m.action))
        });
        if !still_right {
            self.advised = Some(Advised {
                moves: moves.iter().map(|m| m.action).collect(),
                scores: self.scores,
                advice: self.face.advise(self.session.board(), self.scores),
            });
        }
    }

    fn play(&mut self, action: MoveOf<F>, now: Time) {
        let face = &self.face;
        self.session.play(action, now, |cell| face.travel(cell));
    }

    /// Whether a box lies over the board.
    fn is_boxed(&self, now: Time) -> bool {
        self.asked || self.tells_end(now)
    }

    fn tells_end(&self, now: Time) -> bool {
        self.face.manner().message == Message::Board
            && !self.read
            && self.session.finish().is_some()
            && now >= self.session.settled_at() + MESSAGE_AFTER
    }

    /// Closes the box; `yes` is the answer to what it asks.
    fn close(&mut self, yes: bool, now: Time) {
        if std::mem::take(&mut self.asked) {
            if yes {
                self.session.resign(now);
            }
        } else {
            self.read = true;
        }
    }

    /// Another position: what was open is closed.
    fn afresh(&mut self) {
        (self.asked, self.read) = (false, false);
        self.advised = None;
    }

    fn command(&mut self, name: &str, now: Time) {
        match name {
            "n" | "s" => {
                match name {
                    "n" => self.session.restart(now),
                    _ => self.session.change_starter(now),
                }
                self.cursor = None;
                self.afresh();
            }
            "u" if self.session.undo(now) => self.afresh(),
            "r" => self.asked = self.session.turn().is_some(),
            "h" | "?" => {
                self.hint = !self.hint;
                self.scores &= self.hint;
            }
            "shift+h" => {
                self.scores = !self.scores;
                self.hint |= self.scores;
            }
            "F3" => {
                self.sheet = !self.sheet;
                self.refit(self.plan.picture);
            }
            _ => {
                if let Ok(level @ 1..=9) = name.parse::<u8>() {
                    self.session.set_level(Level::new(level));
                }
            }
        }
    }

    fn stone_of(&self, side: Side) -> usize {
        self.face.manner().stone(&self.session, side)
    }

    /// Brings the still part up to date and copies it.
    fn paint_still(&mut self, out: &mut Picture) {
        let (face, plan, still) = (&self.face, &self.plan, &mut self.still);
        let (session, manner) = (&self.session, face.manner());
        let (width, height) = plan.picture;
        if still.plan != Some(*plan) {
            still.plan = Some(*plan);
            still.scene = Picture::filled(width, height, manner.face);
            face.scene(plan, &mut still.scene);
            if let Some(sheet) = &plan.sheet {
                paint::sheet(&mut still.scene, plan, sheet, manner);
            }
            still.picture.clone_from(&still.scene);
            still.stones.clear();
        }
        let moves = session.moves();
        let before = &moves[..moves.len().saturating_sub(1)];
        let stones = || {
            before
                .iter()
                .map(|m| (m.cell, manner.stone(session, m.side)))
        };
        let kept = stones()
            .zip(&still.stones)
            .take_while(|(a, b)| a == *b)
            .count();
        if kept < still.stones.len() {
            still.picture.clone_from(&still.scene);
            still.stones.clear();
        }
        for (cell, stone) in stones().skip(still.stones.len()) {
            face.stone(plan, cell, stone, &mut still.picture);
            still.stones.push((cell, stone));
        }
        out.reshape(width, height);
        out.pixels_mut().copy_from_slice(still.picture.pixels());
    }

    /// The last move, on its way or at rest with its mark.
    fn paint_last(&self, now: Time, out: &mut Picture) {
        let Some(last) = self.session.moves().last() else {
            return;
        };
        let (plan, manner) = (&self.plan, self.face.manner());
        let stone = self.stone_of(last.side);
        let settled = self.session.settled_at();
        if now < settled {
            let since = now.since(last.at);
            self.face.travelling(plan, last.cell, stone, since, out);
            return;
        }
        let turns = now.since(settled).as_micros() / BLINK.as_micros();
        let away = manner.mark == Mark::Blink && turns < 2 * BLINKS && turns % 2 == 1;
        if !away {
            self.face.stone(plan, last.cell, stone, out);
            paint::mark(out, plan, manner, last.cell);
        }
        if let Some(Finish::Row(_)) = self.session.finish() {
            match manner.row {
                RowMark::None => {}
                RowMark::Rings => paint::rings(out, plan, manner, self.session.row()),
                RowMark::Line => {
                    paint::lines(out, plan, manner, last.cell, self.session.row());
                }
            }
        }
    }

    /// Hints and what lies under the pointer.
    fn paint_thoughts(&self, now: Time, out: &mut Picture) {
        let Some(side) = self.session.turn() else {
            return;
        };
        if !self.session.awaits_person(now) {
            return;
        }
        let (plan, board) = (&self.plan, self.session.board());
        let stone = self.stone_of(side);
        if !self.is_boxed(now) {
            let (at, by_keys) = match (self.cursor, self.pointer) {
                (Some(cell), _) => (Some(cell.centre()), true),
                (None, at) => (at.map(|px| plan.cell_at(px)), false),
            };
            let action = at.and_then(|at| self.face.aim(board, at));
            if let Some(cell) = action.and_then(|a| board.landing(a)) {
                self.face.pending(plan, cell, stone, by_keys, out);
            } else if let Some(cell) = self.cursor {
                paint::cursor(out, plan, self.face.manner(), cell);
            }
        }
        if let Some(advice) = self.advice() {
            let best = advice.best.and_then(|a| board.landing(a));
            paint::advice(out, plan, self.face.manner(), best, &advice.scores);
        }
    }
}

impl<F: Face> Target for FacingTarget<F> {
    fn render(&mut self, now: Time, out: &mut Picture) {
        self.run(now);
        self.paint_still(out);
        self.paint_last(now, out);
        self.paint_thoughts(now, out);
        let manner = self.face.manner();
        paint::status(out, &self.plan, manner, &self.words.status);
        if self.asked {
            let lines = ["GIVE UP?", "Return: yes   Esc: no"];
            paint::message(out, &self.plan, manner, lines);
        } else if self.tells_end(now) {
            let lines = [self.words.message.as_str(), "N: new game"];
            paint::message(out, &self.plan, manner, lines);
        }
    }

    /// Makes the move that lies there; closes a box that lies over the board.
    fn click(&mut self, px: Point, now: Time) {
        self.run(now);
        if self.is_boxed(now) {
            self.close(false, now);
        } else if let Some(action) = self.face.aim(self.session.board(), self.plan.cell_at(px)) {
            self.play(action, now);
        }
        self.run(now);
    }

    fn key(&mut self, name: &str, now: Time) {
        self.run(now);
        let boxed = self.is_boxed(now);
        let steer = || self.face.steer(self.session.board(), self.cursor, name);
        match (boxed, name) {
            (true, "Return") => self.close(true, now),
            (true, "Escape") => self.close(false, now),
            (true, _) => self.command(name, now),
            (false, _) => match steer() {
                Some(Steer::To(cell)) => self.cursor = Some(cell),
                Some(Steer::Play(action)) => self.play(action, now),
                None => self.command(name, now),
            },
        }
        self.run(now);
    }

    fn pointer(&mut self, what: Pointer, px: Point, now: Time) {
        match what {
            Pointer::Move => {
                self.pointer = Some(px);
                self.cursor = None;
            }
            Pointer::Press => {
                self.pointer = Some(px);
                self.click(px, now);
            }
            Pointer::Release => {}
            Pointer::Leave => self.pointer = None,
        }
    }

    fn resize(&mut self, width: u32, height: u32) {
        self.refit((width, height));
    }

    fn title(&self) -> &str {
        &self.words.title
    }

    fn repeats(&self, name: &str) -> bool {
        self.face.repeats(name)
    }

    /// `X` for the side that moved first, `O` for the other, `.` for an empty place.
    fn truth(&self) -> BoardText {
        let board = self.session.board();
        let size = board.size();
        let cells = size.cells().map(|cell| match board.at(cell) {
            Some(Side::First) => 'X',
            Some(Side::Second) => 'O',
            None => '.',
        });
        BoardText::from_cells(size.cols.into(), cells)
    }
}
