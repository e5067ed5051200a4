//! A command line taken apart, without a shell.

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    name: String,
    words: Vec<String>,
}

/// A text that is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the command `{command}` {text}")]
pub struct LaunchError {
    /// The text.
    pub command: String,
    /// What is wrong with it.
    pub text: String,
}

impl Launch {
    /// From a command line: words divided by blanks, with `'...'`, `"..."` and `\` as in a shell,
    /// but nothing else of one. `name` is for messages.
    ///
    /// # Errors
    /// When there is no word, or a quote is left open.
    pub fn parse(name: &str, command: &str) -> Result<Self, LaunchError> {
        let fail = |text: &str| LaunchError {
            command: command.to_owned(),
            text: text.to_owned(),
        };
        if command.contains('\0') {
            return Err(fail("has a zero byte in it"));
        }
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut chars = command.chars();
        while let Some(c) = chars.next() {
            match c {
                _ if c.is_whitespace() => words.extend(word.take()),
                '\'' => {
                    let word = word.get_or_insert_default();
                    loop {
                        match chars.next() {
                            Some('\'') => break,
                            Some(c) => word.push(c),
                            None => return Err(fail("has an open ' in it")),
                        }
                    }
                }
                '"' => {
                    let word = word.get_or_insert_default();
                    loop {
                        match chars.next() {
                            Some('"') => break,
                            Some('\\') => match chars.next() {
                                Some(c @ ('"' | '\\')) => word.push(c),
                                Some(c) => word.extend(['\\', c]),
                                None => return Err(fail("has an open \" in it")),
                            },
                            Some(c) => word.push(c),
                            None => return Err(fail("has an open \" in it")),
                        }
                    }
                }
                '\\' => match chars.next() {
                    Some(c) => word.get_or_insert_default().push(c),
                    None => return Err(fail("ends in \\")),
                },
                c => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        match words.first() {
            Some(program) if !program.is_empty() => Ok(Self {
                name: name.to_owned(),
                words,
            }),
            _ => Err(fail("is empty: write a program and its arguments")),
        }
    }

    /// Its name in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub(super) fn args(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        Launch::parse("x", command).expect("a command").words
    }

    #[test]
    fn words_are_divided_as_in_a_shell() {
        assert_eq!(
            words("python3 bot.py  --deep"),
            ["python3", "bot.py", "--deep"]
        );
        assert_eq!(
            words(r#"'my bot' "a b\"c" d\ e ''"#),
            ["my bot", "a b\"c", "d e", ""]
        );
        assert_eq!(
            words(r#"sh -c 'echo "$1"; x'"#),
            ["sh", "-c", "echo \"$1\"; x"]
        );
        assert_eq!(words(r#""a\n""#), ["a\\n"]);
    }

    #[test]
    fn what_is_no_command_is_told() {
        let told = |c: &str| Launch::parse("x", c).expect_err("none").to_string();
        assert!(told("  ").ends_with("is empty: write a program and its arguments"));
        assert!(told("a 'b").contains("open '"));
        assert!(told("a \"b").contains("open \""));
        assert!(told("a\\").contains("ends in \\"));
        assert!(told("a\0b").contains("zero byte"));
    }
}
