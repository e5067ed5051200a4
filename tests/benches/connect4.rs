//! Speed of what `connect4` does.

fn main() {
    divan::main();
}
