//! Levels as text against arbitrary and damaged input: a value or an error that helps, no panic.

use kibitzer::games::triplex::rules::{Entry, block, one_line, parse_file, parse_line};
use proptest::prelude::*;

use crate::support::damage;

const LINE: &str = "triplex1 4x3 2*xx x./xx xxx o/o = aaab/ccdb/eedd ; 12 iterations";
const BLOCK: &str =
    "triplex1\nfield\n..#a\n....\nfigures\n1* xx\n1* xx\n   x.\n1* o\nsolution\nbb#a\nbccd\n";

/// A text with up to four characters changed to others of levels, and to some that are none.
fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    let alphabet = "x.o/*=;#a1 \n9é\u{0}".chars().collect::<Vec<char>>();
    damage::damaged(text, prop::sample::select(alphabet), 0..5)
}

/// What is written of an entry reads as the same entry.
fn survives(entry: &Entry) -> Result<(), TestCaseError> {
    let mut line = one_line(&entry.level);
    if let Some(solution) = &entry.solution {
        line += &format!(" = {}", solution.text(entry.level.field()).0);
    }
    let read = parse_line(&line, entry.line);
    prop_assert_eq!(read.as_ref(), Ok(entry), "{}", line);
    let text = block(&entry.level, entry.solution.as_ref());
    let read = parse_file(&text).map(|mut all| all.remove(0));
    let wanted = Entry {
        line: 1,
        ..entry.clone()
    };
    prop_assert_eq!(read, Ok(wanted), "{}", text);
    Ok(())
}

proptest! {
    #[test]
    fn lines(line in prop_oneof![any::<String>(), damaged(LINE)]) {
        match parse_line(&line, 7) {
            Ok(entry) => survives(&entry)?,
            Err(e) => prop_assert!(e.to_string().starts_with("line 7: ") && e.text.len() > 5, "{e}"),
        }
    }

    #[test]
    fn files(text in prop_oneof![any::<String>(), damaged(BLOCK), damaged(LINE)]) {
        match parse_file(&text) {
            Ok(entries) => entries.iter().try_for_each(survives)?,
            Err(e) => prop_assert!((1..=text.lines().count()).contains(&e.line), "{e}"),
        }
    }
}
