//! Time: one deadline for everything, and the clock that processes share.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// When the answer must be there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    began: Instant,
    end: Instant,
}

impl Deadline {
    pub(crate) fn after(time: Duration) -> Self {
        let began = Instant::now();
        let end = began.checked_add(time).unwrap_or(began);
        Self { began, end }
    }

    /// Returns a deadline from now that ends no later than this one.
    pub(crate) fn within(self, time: Duration) -> Self {
        let part = Self::after(time);
        Self {
            began: part.began,
            end: part.end.min(self.end),
        }
    }

    pub(crate) fn left(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    pub(crate) fn spent_millis(self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Waits, unless there is no time for it.
    pub(crate) fn wait(self, time: Duration) -> bool {
        let enough = time < self.left();
        if enough {
            std::thread::sleep(time);
        }
        enough
    }
}

/// Returns the milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
}

/// Returns a time between half and one and a half of the given one, so that many who failed
/// together do not come back together.
pub(crate) fn jittered(time: Duration) -> Duration {
    let random = RandomState::new().hash_one(0_u8) % 1000;
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Duration::from_millis(millis / 2 + millis.saturating_mul(random) / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_stays_near() {
        for _ in 0..100 {
            let time = jittered(Duration::from_millis(200)).as_millis();
            assert!((100..300).contains(&time), "{time}");
        }
    }
}
