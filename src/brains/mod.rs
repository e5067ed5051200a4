//! Brains of other programs as policies, and ours for other programs: processes that speak a
//! protocol on their standard input and output.
//!
//! `process` runs a child, `brain` keeps it running, each protocol has its module, and `duel`,
//! `flood`, `tetris`, `connect4`, `gomoku` and `triplex` make of them what a game calls a policy,
//! with one of ours behind it; `serve` is the other way round, for every protocol. A brain never blocks its caller for longer than it was given, and is never trusted: what it
//! answers is checked by the rules.

pub mod brain;
pub mod connect4;
pub mod connect4_line;
pub mod duel;
pub mod external;
pub mod flood;
pub mod gomoku;
pub mod jsonl;
pub mod piskvork;
pub mod process;
pub mod serve;
pub mod share;
pub mod takeover;
pub mod tbp;
pub mod tetris;
pub mod triplex;
