//! Levels as text: one a line for programs, blocks of boards for people.
//!
//! One line: `triplex1 FIELD FIGURE... [= SOLUTION] [; COMMENT]`. The field is `WxH` or its rows
//! joined by `/`; a figure is its rows joined by `/`, with `N*` before it if there are several;
//! the one that may be turned is written with `o` instead of `x`.
//!
//! A block: a line `triplex1`, then sections `field`, `figures` and perhaps `solution`, each a
//! line of its own with rows of squares below; every figure begins with `N*`. A blank line or the
//! next `triplex1` ends it.

use std::fmt::Write as _;

use super::field::Field;
use super::figure::Figure;
use super::level::Level;
use super::tiling::Tiling;

/// The first word of every level: the game and the version of the format.
pub const HEAD: &str = "triplex1";

/// A level from a text, with its solution if that is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The level.
    pub level: Level,
    /// Its solution, checked.
    pub solution: Option<Tiling>,
    /// The line it begins on, from 1.
    pub line: usize,
}

/// A text that is no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text}")]
pub struct NotationError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and how to write it.
    pub text: String,
}

fn wrong(line: usize, text: impl Into<String>) -> NotationError {
    NotationError {
        line,
        text: text.into(),
    }
}

/// A level as one line.
#[must_use]
pub fn one_line(level: &Level) -> String {
    let mut text = format!("{HEAD} {}", level.field());
    for (figure, count) in level.stock() {
        // Writing to a string cannot fail.
        let _ = match count {
            1 => write!(text, " {figure}"),
            n => write!(text, " {n}*{figure}"),
        };
    }
    if let Some(figure) = level.turnable() {
        let _ = write!(text, " {}", figure.text('o'));
    }
    text
}

/// A level as a block.
#[must_use]
pub fn block(level: &Level, solution: Option<&Tiling>) -> String {
    let mut text = format!("{HEAD}\nfield\n{}\nfigures\n", level.field().text());
    let mut figure_rows = |count: u16, figure: &Figure, square: char| {
        for (i, row) in figure.text(square).split('/').enumerate() {
            let head = match i {
                0 => format!("{count}*"),
                _ => String::new(),
            };
            let _ = writeln!(text, "{head:<3} {row}");
        }
    };
    for (figure, count) in level.stock() {
        figure_rows(*count, figure, 'x');
    }
    if let Some(figure) = level.turnable() {
        figure_rows(1, &figure, 'o');
    }
    if let Some(tiling) = solution {
        let _ = writeln!(text, "solution\n{}", tiling.text(level.field()));
    }
    text
}

/// Reads one level of one line; `number` is the line's number, for errors.
///
/// # Errors
/// What is wrong with it and how to write it.
pub fn parse_line(line: &str, number: usize) -> Result<Entry, NotationError> {
    let line = line.split(';').next().unwrap_or("");
    let (level, solution) = match line.split_once('=') {
        Some((level, solution)) => (level, Some(solution.trim())),
        None => (line, None),
    };
    let mut words = level.split_whitespace();
    head(words.next().unwrap_or(""), number)?;
    let Some(field) = words.next() else {
        return Err(wrong(
            number,
            "the field is missing: write WxH, or its rows joined by `/`, after the first word",
        ));
    };
    let field = Field::parse(field).map_err(|e| wrong(number, format!("field `{field}`: {e}")))?;
    let mut stock = Stock::default();
    for word in words {
        stock.add(word, number)?;
    }
    entry(field, stock, solution, number)
}

/// Reads a file of levels, in lines, in blocks or mixed. Lines beginning with `;` are passed over.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn parse_file(text: &str) -> Result<Vec<Entry>, NotationError> {
    let mut entries = Vec::new();
    let mut block: Option<Block> = None;
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let plain = line.split(';').next().unwrap_or("").trim();
        let commented = plain.is_empty() && !line.trim().is_empty();
        if commented {
            continue;
        }
        let opens = plain.split_whitespace().next().is_some_and(is_head);
        if (plain.is_empty() || opens)
            && let Some(done) = block.take()
        {
            entries.push(done.entry()?);
        }
        match (&mut block, plain) {
            (_, "") => {}
            (None, HEAD) => block = Some(Block::new(number)),
            (None, _) => entries.push(parse_line(plain, number)?),
            (Some(block), _) => block.line(plain, number)?,
        }
    }
    if let Some(done) = block {
        entries.push(done.entry()?);
    }
    Ok(entries)
}

/// Whether a word looks like the beginning of a level of any version.
fn is_head(word: &str) -> bool {
    word.strip_prefix("triplex")
        .is_some_and(|v| !v.is_empty() && v.bytes().all(|b| b.is_ascii_digit()))
}

fn head(word: &str, number: usize) -> Result<(), NotationError> {
    if word == HEAD {
        return Ok(());
    }
    let text = if is_head(word) {
        format!("`{word}` is another version of the format: this program reads {HEAD}")
    } else {
        format!("`{word}` is no level: begin it with `{HEAD}`, as in `{HEAD} 3x2 2*xx x/x`")
    };
    Err(wrong(number, text))
}

/// The figures of a level while it is read.
#[derive(Debug, Default)]
struct Stock {
    figures: Vec<(Figure, u16)>,
    turnable: Option<Figure>,
}

impl Stock {
    /// Reads `[N*]ROWS`.
    fn add(&mut self, word: &str, number: usize) -> Result<(), NotationError> {
        let (count, rows) = match word.split_once('*') {
            Some((count, rows)) => {
                let parsed = count.parse::<u16>().ok().filter(|n| (1..=999).contains(n));
                let count = parsed.ok_or_else(|| {
                    let text = format!("`{count}*` is no number of figures: write 1 to 999");
                    wrong(number, text)
                })?;
                (count, rows)
            }
            None => (1, word),
        };
        let figure: Figure = rows.parse().map_err(|e| {
            let text = format!("figure `{rows}`: {e}; for instance `2*xx/x.`");
            wrong(number, text)
        })?;
        if !rows.contains('o') {
            self.figures.push((figure, count));
            return Ok(());
        }
        if rows.contains('x') {
            let text =
                format!("figure `{rows}`: write all its squares `x`, or all `o` if it turns");
            return Err(wrong(number, text));
        }
        if count > 1 || self.turnable.is_some() {
            return Err(wrong(
                number,
                "only one figure can be turned: write the others with `x`",
            ));
        }
        self.turnable = Some(figure);
        Ok(())
    }
}

fn entry(
    field: Field,
    stock: Stock,
    solution: Option<&str>,
    line: usize,
) -> Result<Entry, NotationError> {
    let level = Level::new(field, stock.figures, stock.turnable);
    let level = level.map_err(|e| wrong(line, e.to_string()))?;
    let check = |text: &str| {
        let tiling = Tiling::from_text(level.field(), text)?;
        tiling.check(&level).map(|()| tiling)
    };
    let solution = solution.map(check).transpose();
    let solution = solution.map_err(|e| wrong(line, format!("solution: {e}")))?;
    Ok(Entry {
        level,
        solution,
        line,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    None,
    Field,
    Figures,
    Solution,
}

/// A block while it is read: rows are joined, then read as in a line.
#[derive(Debug)]
struct Block {
    line: usize,
    section: Section,
    field: Vec<String>,
    /// The line each figure begins on, and its text as in a line.
    figures: Vec<(usize, String)>,
    solution: Vec<String>,
}

impl Block {
    fn new(line: usize) -> Self {
        Self {
            line,
            section: Section::None,
            field: Vec::new(),
            figures: Vec::new(),
            solution: Vec::new(),
        }
    }

    fn line(&mut self, text: &str, number: usize) -> Result<(), NotationError> {
        match text {
            "field" => self.section = Section::Field,
            "figures" => self.section = Section::Figures,
            "solution" => self.section = Section::Solution,
            _ => match self.section {
                Section::None => {
                    let text = format!("`{text}`: write `field` and its rows after `{HEAD}`");
                    return Err(wrong(number, text));
                }
                Section::Field => self.field.push(text.to_owned()),
                Section::Solution => self.solution.push(text.to_owned()),
                Section::Figures => self.figure_row(text, number)?,
            },
        }
        Ok(())
    }

    fn figure_row(&mut self, text: &str, number: usize) -> Result<(), NotationError> {
        if let Some((count, row)) = text.split_once('*') {
            let word = format!("{}*{}", count.trim(), row.trim());
            self.figures.push((number, word));
        } else if let Some((_, word)) = self.figures.last_mut() {
            word.push('/');
            word.push_str(text);
        } else {
            let text =
                format!("`{text}`: begin each figure with how many there are, as in `2* xx`");
            return Err(wrong(number, text));
        }
        Ok(())
    }

    fn entry(self) -> Result<Entry, NotationError> {
        if self.field.is_empty() {
            let text = format!("the field is missing: write `field` and its rows after `{HEAD}`");
            return Err(wrong(self.line, text));
        }
        let rows = self.field.join("/");
        let field = Field::parse(&rows).map_err(|e| wrong(self.line, format!("field: {e}")))?;
        let mut stock = Stock::default();
        for (number, word) in &self.figures {
            stock.add(word, *number)?;
        }
        let solution = (!self.solution.is_empty()).then(|| self.solution.join("/"));
        entry(field, stock, solution.as_deref(), self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "triplex1 a..../a.... 2*xx/x. o/o = abbcc/abdde";

    #[test]
    fn a_line_and_a_block_say_the_same() {
        let line = "triplex1 4x3 2*xx x./xx xxx oo = aaab/ccdb/eedd";
        let turned = parse_line(line, 1).expect("b stands, and may");
        assert_eq!(turned.level.turnable().expect("b").to_string(), "xx");
        assert!(turned.solution.is_some());
        let line = "triplex1 4x3 2*xx x./xx xxx o/o = aabb/cdee/cddd";
        let error = parse_line(line, 4).expect_err("d has four squares");
        assert!(
            error.to_string().starts_with("line 4: solution:"),
            "{error}"
        );
        let line = "triplex1 ..#a/.... xx/x. xx o = bbca/bddc";
        assert!(
            parse_line(line, 1).is_err(),
            "the field's own square is not kept"
        );
        let line = "triplex1 ..#a/.... xx/x. xx o = bb#a/bddc";
        let read = parse_line(line, 1).expect("a level");
        let text = block(&read.level, read.solution.as_ref());
        let shown = "triplex1\nfield\n..#a\n....\nfigures\n1*  xx\n1*  xx\n    x.\n1*  o\n\
                     solution\nbb#a\nbccd\n";
        assert_eq!(text, shown);
        let again = parse_file(&text).expect("a block");
        assert_eq!(again, std::slice::from_ref(&read));
        assert_eq!(one_line(&read.level), "triplex1 ..#a/.... xx xx/x. o");
        let mixed = format!("; levels\n\n{line} ; hard\n{text}{line}\n\n{text}");
        let lines: Vec<usize> = parse_file(&mixed)
            .expect("four")
            .iter()
            .map(|e| e.line)
            .collect();
        assert_eq!(lines, [3, 4, 16, 18]);
    }

    #[test]
    fn errors_name_the_line_and_the_remedy() {
        for (line, told) in [
            ("", "`` is no level"),
            ("4x3 xx", "begin it with `triplex1`"),
            ("triplex2 4x3", "another version of the format"),
            ("triplex1", "the field is missing"),
            ("triplex1 4x", "`4` is no square"),
            ("triplex1 ../. xx", "make all rows equally long"),
            ("triplex1 2x2 xx/xy", "`y` is no square"),
            ("triplex1 2x2 0*xx", "write 1 to 999"),
            ("triplex1 2x2 xx", "add or remove figures"),
            ("triplex1 2x2 xo xx", "or all `o` if it turns"),
            ("triplex1 2x2 2*oo", "only one figure can be turned"),
            ("triplex1 2x2 oo oo", "only one figure can be turned"),
            (LINE, "the level has"),
            ("triplex1 2x2 2*xx = ab/ab", "used"),
        ] {
            let error = parse_line(line, 9).expect_err(line).to_string();
            assert!(
                error.starts_with("line 9: ") && error.contains(told),
                "{line}: {error}"
            );
        }
        for (text, line) in [
            ("triplex1\n..", 2),
            ("triplex1\nfield\n..\nfigures\nxx", 5),
            ("triplex1\nfield\n..\nfigures\n1* xy", 5),
            ("triplex1\nfigures\n1* xx\n", 1),
            ("triplex1 2x1 xx\n\ntriplex3\nfield\n..", 3),
        ] {
            assert_eq!(parse_file(text).expect_err(text).line, line, "{text}");
        }
    }
}
