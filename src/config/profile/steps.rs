//! Keys and clicks as text: `n`, `click 6.5,-1; Return`.

use crate::types::{Control, Point};

/// Steps separated by `;`: the name of a key, or `click X,Y` in cell space.
pub(super) fn parse(text: &str) -> Result<Vec<Control>, String> {
    text.split(';').map(|step| one(step.trim())).collect()
}

fn one(step: &str) -> Result<Control, String> {
    if let Some(at) = step.strip_prefix("click ") {
        let number = |t: &str| {
            let v = t.trim().parse::<f64>().ok();
            v.filter(|v| v.abs() <= 1000.0)
        };
        let point = at
            .split_once(',')
            .and_then(|(x, y)| Some(Point::new(number(x)?, number(y)?)));
        return point
            .map(Control::At)
            .ok_or_else(|| format!("`{step}` is not a click"));
    }
    let good = |c: char| c.is_ascii_graphic() && c != ',';
    if step.is_empty() || !step.chars().all(good) {
        return Err(format!("`{step}` is not the name of a key"));
    }
    Ok(Control::Key(step.to_owned()))
}

/// The same as text; cells have no notation of their own and are clicked at their centre.
pub(super) fn text(steps: &[Control]) -> String {
    let one = |step: &Control| match step {
        Control::Key(name) => name.clone(),
        Control::At(p) => format!("click {},{}", p.x, p.y),
        Control::Cell(c) => format!("click {}.5,{}.5", c.col, c.row),
    };
    steps.iter().map(one).collect::<Vec<_>>().join("; ")
}
