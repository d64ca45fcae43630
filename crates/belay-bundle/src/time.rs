//! Days and moments as a signature writes them: `2027-01-31` or `2027-01-31T00:00:00Z`.

/// Seconds in a day.
const DAY: u64 = 86_400;

/// Returns the seconds since 1970 of a day's end, or of a moment in UTC.
#[must_use]
pub fn parse(text: &str) -> Option<u64> {
    let (date, clock) = match text.split_once('T') {
        Some((date, clock)) => (date, Some(clock.strip_suffix('Z')?)),
        None => (text, None),
    };
    let [year, month, day] = numbers(date, '-')?;
    let days = days(year, month, day)?;
    let seconds = match clock {
        // A day that is named counts to its end.
        None => DAY - 1,
        Some(clock) => {
            let [hour, minute, second] = numbers(clock, ':')?;
            let whole = hour < 24 && minute < 60 && second < 60;
            whole.then_some(hour * 3600 + minute * 60 + second)?
        }
    };
    Some(days * DAY + seconds)
}

/// Writes a moment.
#[must_use]
pub fn stamp(seconds: u64) -> String {
    let clock = seconds % DAY;
    let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
    format!("{}T{hour:02}:{minute:02}:{second:02}Z", day(seconds))
}

/// Writes the day of a moment.
#[must_use]
pub fn day(seconds: u64) -> String {
    // Howard Hinnant's `civil_from_days`, for days after 1970.
    let shifted = seconds / DAY + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Reads three numbers of two digits, or of four for a year.
fn numbers(text: &str, mark: char) -> Option<[u64; 3]> {
    let mut parts = text.split(mark);
    let mut next = || {
        let part = parts.next()?;
        let plain = part.len() >= 2 && part.bytes().all(|it| it.is_ascii_digit());
        plain.then(|| part.parse().ok()).flatten()
    };
    let found = [next()?, next()?, next()?];
    parts.next().is_none().then_some(found)
}

/// Returns the days since 1970; none for a day that is not in the calendar.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let shifted = if month > 2 { year } else { year - 1 };
    let (era, of_era) = (shifted / 400, shifted % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day.checked_sub(1)?;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    // The 30th of February would be another day.
    let same = self::day(days * DAY) == format!("{year:04}-{month:02}-{day:02}");
    same.then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_back() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:30:05Z", 951_827_405),
            ("2027-01-31T23:59:59Z", 1_801_439_999),
        ] {
            assert_eq!(parse(text), Some(seconds), "{text}");
            assert_eq!(stamp(seconds), text);
        }
        assert_eq!(parse("2027-01-31"), parse("2027-01-31T23:59:59Z"));
    }

    #[test]
    fn what_is_no_moment() {
        for text in [
            "",
            "soon",
            "2027-02-30",
            "2027-13-01",
            "2027-1-1",
            "2027-01-00",
            "1969-01-01",
            "2027-01-01T24:00:00Z",
            "2027-01-01T00:00:00",
            "2027-01-01T00:00:00+01:00",
            "2027-01-01-01",
            "+2027-01-01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
