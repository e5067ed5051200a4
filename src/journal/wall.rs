//! Wall-clock times as numbers and text; always in UTC, because a journal may be read elsewhere.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970; times before it are negative.
#[must_use]
pub fn millis(wall: SystemTime) -> i64 {
    match wall.duration_since(UNIX_EPOCH) {
        Ok(d) => i64::try_from(d.as_millis()).unwrap_or(i64::MAX),
        Err(e) => -i64::try_from(e.duration().as_millis()).unwrap_or(i64::MAX),
    }
}

/// `2026-03-01 12:34:56`, UTC.
#[must_use]
pub fn text(millis: i64) -> String {
    let seconds = millis.div_euclid(1000);
    let (days, rest) = (seconds.div_euclid(86400), seconds.rem_euclid(86400));
    // Years counted from March, so that the leap day is the last of its year; 400-year cycles.
    let shifted = days + 719_468;
    let cycle = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let m = (5 * of_year + 2) / 153;
    let day = of_year - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = year + cycle * 400 + i64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_known_from_the_calendar() {
        assert_eq!(text(0), "1970-01-01 00:00:00");
        assert_eq!(text(951_782_400_000), "2000-02-29 00:00:00");
        assert_eq!(text(1_709_251_199_999), "2024-02-29 23:59:59");
        assert_eq!(text(4_102_444_800_000), "2100-01-01 00:00:00");
        assert_eq!(text(-1), "1969-12-31 23:59:59");
    }
}
