//! Speed of what `gomoku` does.

fn main() {
    divan::main();
}
