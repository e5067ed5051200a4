//! Five in a row (gomoku): stones on any free cell; five in a row win.
