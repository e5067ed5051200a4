//! One integration binary: a link step costs more than all of these modules together.

#![allow(clippy::print_stdout)]

mod architecture;
mod brains;
mod by_hand;
mod capture;
mod cli;
mod config;
mod connect4;
mod doctor;
mod duel;
mod duel_real;
mod faults;
mod flood_rules;
mod flood_solve;
mod fuzz;
mod golden;
mod gomoku;
mod hands;
mod journal;
mod journal_cli;
mod keyboard;
mod labelled;
mod live;
mod network_camera;
mod probe;
mod recordings;
mod relays;
mod rig;
mod seeing;
mod stage;
mod support;
mod table_target;
mod tetris_belief;
mod tetris_policies;
mod tetris_real;
mod tetris_rig;
mod tetris_rules;
mod tetris_seeing;
mod tetris_target;
mod tracking;
mod triplex;
mod uinput;
mod web;
