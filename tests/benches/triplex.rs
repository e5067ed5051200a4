//! Speed of what `triplex` does.

fn main() {
    divan::main();
}
