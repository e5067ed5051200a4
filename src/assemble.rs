//! The only place that knows every concrete device and game.
