//! Lessons: cells with the names of what lies on them.

use super::Trouble;
use crate::types::{BoardKind, Calibration, Cell, ClassId, Label, Reading};

/// The name of places with nothing on them.
pub const EMPTY: &str = "empty";

/// One cell and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The cell, column and row from 0.
    pub cell: Cell,
    /// Its name: `empty`, a letter, or a word.
    pub name: String,
}

/// Reads lessons like `3,4=red 5,5=empty`: column and row from 0, and a name.
///
/// # Errors
/// For the first that is not written like this; the text says which, and how.
pub fn lessons(text: &str) -> Result<Vec<Lesson>, String> {
    let mut out: Vec<Lesson> = Vec::new();
    for word in text.split_whitespace() {
        let how = || format!("{word}: write COLUMN,ROW=NAME with both from 0, as 3,4=red");
        let (place, name) = word.split_once('=').ok_or_else(how)?;
        let (col, row) = place.split_once(',').ok_or_else(how)?;
        let side = |s: &str| s.trim().parse::<u16>().map_err(|_| how());
        let cell = Cell::new(side(col)?, side(row)?);
        if name.is_empty()
            || !name
                .chars()
                .all(|c| c.is_alphanumeric() || "-_.#".contains(c))
        {
            return Err(format!(
                "{word}: a name is made of letters, digits, - and _"
            ));
        }
        if let Some(other) = out.iter().find(|l| l.cell == cell && l.name != name) {
            let Lesson { name: before, .. } = other;
            return Err(format!("{word}: that cell is {before} already"));
        }
        out.push(Lesson {
            cell,
            name: name.to_owned(),
        });
    }
    Ok(out)
}

/// The letter that a board of this kind shows for a name: a letter is its own; of a word the
/// first letter that no other class has, a capital where most places are empty.
pub(super) fn letter(kind: BoardKind, name: &str, taken: &[char]) -> char {
    let mut own = name.chars().filter(|c| c.is_alphanumeric() || *c == '#');
    if name.chars().count() == 1
        && let Some(c) = own.next()
        && !taken.contains(&c)
    {
        return c;
    }
    let capital = kind != BoardKind::Cells;
    let own = { name.chars().map(|c| c.to_ascii_lowercase()) }
        .filter(char::is_ascii_lowercase)
        .chain('a'..='z')
        .map(|c| if capital { c.to_ascii_uppercase() } else { c });
    { own }.find(|c| !taken.contains(c)).unwrap_or('*')
}

/// Names the classes of a board that was found: `None` where the lessons and what was learnt
/// contradict each other, so that the board must be learnt anew.
#[must_use]
pub fn named(found: &Calibration, reading: &Reading, lessons: &[Lesson]) -> Option<Calibration> {
    let mut names: Vec<Option<&str>> = vec![None; found.classes.len()];
    for lesson in lessons {
        if lesson.cell.col >= found.size.cols || lesson.cell.row >= found.size.rows {
            return None;
        }
        let seen = reading.cells.get(found.size.index(lesson.cell))?;
        let Label::Class(class) = seen.label else {
            return None;
        };
        let slot = names.get_mut(usize::from(class))?;
        if slot.is_some_and(|before| before != lesson.name) {
            return None;
        }
        *slot = Some(&lesson.name);
    }
    let sparse = found.kind != BoardKind::Cells;
    let mut out = found.clone();
    let mut taken: Vec<char> = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let Some(name) = name else { continue };
        let twice = names.iter().filter(|n| *n == &Some(*name)).count() > 1;
        if twice || sparse && (*name == EMPTY) != (i == 0) {
            return None;
        }
        out.classes[i].letter = match (sparse, found.kind) {
            (true, _) if i == 0 => '.',
            // The kinds of a stack have their letters; another name is another kind.
            (_, BoardKind::Stack)
                if !found.classes[i]
                    .letter
                    .to_string()
                    .eq_ignore_ascii_case(name) =>
            {
                return None;
            }
            (_, BoardKind::Stack) => found.classes[i].letter,
            (_, kind) => letter(kind, name, &taken),
        };
        taken.push(out.classes[i].letter);
    }
    // The others keep theirs where those are free.
    for (i, name) in names.iter().enumerate() {
        let own = out.classes[i].letter;
        if name.is_some() {
            continue;
        }
        if taken.contains(&own) && found.kind != BoardKind::Stack {
            out.classes[i].letter = { 'a'..='z' }.find(|c| !taken.contains(c))?;
        }
        taken.push(out.classes[i].letter);
    }
    Some(out)
}

/// The names in the order of their first lesson.
pub(super) fn names(lessons: &[Lesson]) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::new();
    for lesson in lessons {
        if !out.contains(&lesson.name.as_str()) {
            out.push(&lesson.name);
        }
    }
    out
}

/// Whether a class may have this id.
pub(super) fn id(n: usize) -> Result<ClassId, Trouble> {
    ClassId::try_from(n).map_err(|_| Trouble::Many(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_read_and_wrong_ones_told() {
        let read = lessons(" 3,4=red  5,5=empty ").expect("well written");
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].cell, Cell::new(3, 4));
        assert_eq!(read[1].name, "empty");
        for (wrong, part) in [
            ("3=red", "COLUMN,ROW=NAME"),
            ("3,x=red", "COLUMN,ROW=NAME"),
            ("-1,0=red", "COLUMN,ROW=NAME"),
            ("3,4", "COLUMN,ROW=NAME"),
            ("3,4=", "a name is"),
            ("1,1=red 1,1=blue", "is red already"),
        ] {
            let told = lessons(wrong).expect_err(wrong);
            assert!(told.contains(part), "{wrong}: {told}");
        }
        assert_eq!(lessons(""), Ok(Vec::new()));
    }

    #[test]
    fn letters_are_the_initials_that_are_free() {
        assert_eq!(letter(BoardKind::Cells, "red", &[]), 'r');
        assert_eq!(letter(BoardKind::Cells, "rose", &['r']), 'o');
        assert_eq!(letter(BoardKind::Cells, "X", &[]), 'X');
        assert_eq!(letter(BoardKind::Cells, "7", &['s']), '7');
        assert_eq!(letter(BoardKind::Cells, "r", &['r']), 'a');
        assert_eq!(letter(BoardKind::Crossings, "black", &['B']), 'L');
    }
}
