//! The words every stage speaks: pictures, time, geometry, readings, actions.
//!
//! Takes nothing, gives plain data and the few traits that separate a stage
//! from its devices. Must never do I/O, look at a clock, start a thread or
//! import another module of this crate.

pub mod action;
pub mod agent;
pub mod board;
pub mod calibration;
pub mod display;
pub mod event;
pub mod frame;
pub mod geometry;
pub mod hands;
pub mod live;
pub mod picture;
pub mod reading;
pub mod sheet;
pub mod sketch;
pub mod stop;
pub mod target;
pub mod time;

pub use action::{Action, ActionId, Armed, Control, Stroke};
pub use agent::{Agent, Budget, Decision, Status, Story};
pub use board::BoardText;
pub use calibration::{
    BoardKind, Border, Calibration, ClassLook, GainField, SideGrid, StoneShape, Wanted,
};
pub use event::{Cause, Event, EventSink, GameResult, Handling, Outcome, SinkError};
pub use frame::{Feed, Frame, Hidden, Placement, SourceId};
pub use geometry::{Cell, GridSize, Point, PxFromCell, Rect};
pub use hands::{Board, Focus, HandsSpec, RelayHands, ScreenHands};
pub use live::{Finding, KeyTiming, LiveAgent};
pub use picture::Picture;
pub use reading::{BoardState, CellReading, ClassId, Label, Reading};
pub use sheet::Sheet;
pub use stop::Stop;
pub use target::{Pointer, Target};
pub use time::{Clock, ManualClock, SystemClock, Time};
