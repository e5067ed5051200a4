//! Connect-4: discs fall into columns; so many in a row win.
