//! The words every stage speaks: pictures, time, geometry, readings, actions.
//!
//! Takes nothing, gives plain data and the few traits that separate a stage
//! from its devices. Must never do I/O, look at a clock, start a thread or
//! import another module of this crate.

pub mod action;
pub mod agent;
pub mod arming;
pub mod beyond;
pub mod board;
pub mod calibration;
pub mod camera;
pub mod colour;
pub mod colour_name;
pub mod cover;
pub mod display;
pub mod event;
pub mod frame;
pub mod geometry;
pub mod hands;
pub mod live;
pub mod picture;
pub mod reading;
pub mod script;
pub mod sheet;
pub mod side;
pub mod sketch;
pub mod stone;
pub mod stop;
pub mod target;
pub mod time;
pub mod witness;

pub use action::{Action, ActionId, Armed, Control, Stroke};
pub use agent::{Agent, Budget, Decision, Status, Story, Unseen};
pub use arming::Arming;
pub use board::BoardText;
pub use calibration::{
    BoardKind, Border, Calibration, ClassLook, GainField, Plate, SideGrid, StoneShape, Veil,
    Wanted, Well,
};
pub use camera::{CameraControl, CameraName, CameraSpec, CameraTrouble, ControlValue, Turn};
pub use event::{Cause, Event, EventSink, GameResult, Handling, Observation, Outcome, SinkError};
pub use frame::{Feed, Frame, Hidden, Placement, SourceId};
pub use geometry::{Cell, GridSize, Point, PxFromCell, Rect};
pub use hands::{
    AUTO, Board, CH9329, Focus, HANDS, HandsSpec, KEYBOARD, KernelHands, LineSpec, Pointing,
    RELAY_BOARDS, RelayBoard, RelayHands, ScreenHands, UINPUT, UsbHands,
};
pub use live::{Finding, KeyTiming, LiveAgent};
pub use picture::Picture;
pub use reading::{BoardState, CellReading, ClassId, Label, Reading};
pub use script::{
    Act, BoardSight, Dialog, Look, OtherWindow, Place, Script, Start, Step, WindowName,
};
pub use sheet::Sheet;
pub use side::{Beginner, KindName, SideName};
pub use stop::Stop;
pub use target::{Pointer, Target};
pub use time::{Clock, ManualClock, SystemClock, Time};
pub use witness::{Testimony, Watched, Witness};
