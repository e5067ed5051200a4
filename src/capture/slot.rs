//! The slot of one frame between a capturing thread and the loop: the newest frame wins.
