//! Dates of a moment, in UTC. Enough of a calendar to name a daily file and print a time.

/// A moment: milliseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment(pub u64);

const DAY: u64 = 86_400_000;

impl Moment {
    /// Returns the present moment; a clock before 1970 counts as 1970.
    #[must_use]
    pub fn now() -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self(since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX)))
    }

    /// Returns the date, as `2026-11-15`.
    #[must_use]
    pub fn date(self) -> String {
        let (year, month, day) = civil(self.0 / DAY);
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Returns date and time, as `2026-11-15T08:20:11.123Z`.
    #[must_use]
    pub fn stamp(self) -> String {
        let rest = self.0 % DAY;
        let (seconds, millis) = (rest / 1000, rest % 1000);
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        format!(
            "{}T{hours:02}:{minutes:02}:{:02}.{millis:03}Z",
            self.date(),
            seconds % 60
        )
    }

    /// Returns the moment so many days before; none before 1970.
    #[must_use]
    pub fn days_before(self, days: u64) -> Option<Self> {
        self.0.checked_sub(days.checked_mul(DAY)?).map(Self)
    }

    /// Tells whether a text is a date as [`Self::date`] writes it.
    #[must_use]
    pub fn is_date(text: &str) -> bool {
        let moment = Self::parse(&format!("{text}T00:00:00.000Z"));
        moment.is_some_and(|it| it.date() == text)
    }

    /// Reads what [`Self::stamp`] writes.
    #[must_use]
    pub fn parse(stamp: &str) -> Option<Self> {
        let (date, time) = stamp.strip_suffix('Z')?.split_once('T')?;
        let [year, month, day] = numbers(date, '-')?;
        let (clock, millis) = time.split_once('.')?;
        let [hours, minutes, seconds] = numbers(clock, ':')?;
        let millis: u64 = millis.parse().ok()?;
        let fits =
            (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        let time = ((hours * 60 + minutes) * 60 + seconds) * 1000 + millis;
        (fits && time < DAY).then(|| Self(days(year, month, day) * DAY + time))
    }
}

fn numbers(text: &str, between: char) -> Option<[u64; 3]> {
    let mut parts = text
        .split(between)
        .map(|it| it.parse::<u16>().ok().map(u64::from));
    let three = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(three)
}

/// Year, month and day of a day counted from 1970-01-01. The year begins in March here, so that
/// the leap day is its last.
const fn civil(day: u64) -> (u64, u64, u64) {
    let shifted = day + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, of_year - (153 * march + 2) / 5 + 1)
}

/// The day counted from 1970-01-01 of year, month and day.
const fn days(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let march = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * march + 2) / 5 + day - 1;
    let year_of_era = year % 400;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    year / 400 * 146_097 + of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(millis: u64, stamp: &str) {
        assert_eq!(Moment(millis).stamp(), stamp);
        assert_eq!(Moment::parse(stamp), Some(Moment(millis)));
    }

    #[test]
    fn moments_have_dates() {
        check(0, "1970-01-01T00:00:00.000Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(1_794_729_611_123, "2026-11-15T08:00:11.123Z");
        check(4_102_444_799_999, "2099-12-31T23:59:59.999Z");
    }

    #[test]
    fn every_day_reads_back() {
        for day in 0..60_000 {
            let (year, month, of_month) = civil(day);
            assert_eq!(days(year, month, of_month), day);
        }
    }

    #[test]
    fn other_texts_are_no_moments() {
        for text in [
            "",
            "2026-11-15",
            "2026-13-15T08:00:11.123Z",
            "2026-11-15T08:00:11Z",
            "2026-11-15T99:00:11.123Z",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
