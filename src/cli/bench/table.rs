//! Rows of a bench: a table for people, one JSON object per row for programs, the same names in both.

use crate::cli::out::say;
use serde_json::{Map, Value};

/// Rows with named columns, printed when complete (table) or at once (JSON).
#[derive(Debug)]
pub struct Table {
    json: bool,
    columns: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    /// A table with these columns.
    #[must_use]
    pub fn new(json: bool, columns: &[&'static str]) -> Self {
        Self {
            json,
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; with JSON it is printed at once. Panics if the number of values differs from
    /// the number of columns, which is a mistake in the calling bench.
    pub fn row(&mut self, values: Vec<Value>) {
        assert_eq!(values.len(), self.columns.len(), "a value for every column");
        if self.json {
            let object: Map<String, Value> = self
                .columns
                .iter()
                .map(|c| (*c).to_owned())
                .zip(values)
                .collect();
            say(&format!("{}", Value::Object(object)));
        } else {
            self.rows.push(values);
        }
    }

    /// Prints the table (nothing is left to print with JSON).
    pub fn finish(self) {
        if self.json {
            return;
        }
        let text: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|r| r.iter().map(cell).collect())
            .collect();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|i| {
                let body = text.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
                body.max(self.columns[i].len())
            })
            .collect();
        let line = |cells: Vec<String>| {
            let padded: Vec<String> = cells
                .iter()
                .zip(&widths)
                .map(|(c, w)| format!("{c:<w$}"))
                .collect();
            say(padded.join("  ").trim_end());
        };
        line(self.columns.iter().map(|c| (*c).to_owned()).collect());
        for row in text {
            line(row);
        }
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Number(n) => match n.as_f64() {
            Some(f) if !n.is_i64() && !n.is_u64() => format!("{f:.3}"),
            _ => n.to_string(),
        },
        other => other.to_string(),
    }
}
