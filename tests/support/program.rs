//! The program with something to read on its standard input.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What it wrote until it ended.
pub struct Written {
    pub out: String,
    pub err: String,
    pub code: i32,
}

impl Written {
    /// The lines of its output, each a JSON object.
    pub fn objects(&self) -> Vec<Value> {
        let lines = self.out.lines();
        lines
            .map(|l| serde_json::from_str(l).expect("an object a line"))
            .collect()
    }
}

/// Runs `kibitzer` and waits for its end.
pub fn kibitzer(args: &[&str], input: &str) -> Written {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let out = child.wait_with_output().expect("it ends");
    // A program that fails early need not read all of its input.
    let _ = writer.join().expect("the writer does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Written {
        out: text(out.stdout),
        err: text(out.stderr),
        code: out.status.code().expect("not killed"),
    }
}
