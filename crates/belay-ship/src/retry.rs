//! When to try again, and how fast: a server that comes back must not be run down by everybody at once.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const MOST: Duration = Duration::from_secs(300);

/// Waits between attempts: doubled each time, by chance anywhere below that, never more than five minutes.
#[derive(Clone, Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Notes a success.
    pub const fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// Notes a failure, and returns how long to wait. What the server asks for is the least; `dice` returns a number below its
    /// argument.
    pub fn failed(
        &mut self,
        asked: Option<Duration>,
        dice: &mut dyn FnMut(u64) -> u64,
    ) -> Duration {
        let doubled = FIRST.saturating_mul(1 << self.failures.min(16));
        self.failures = self.failures.saturating_add(1);
        let most = doubled.min(MOST);
        let millis = u64::try_from(most.as_millis()).unwrap_or(u64::MAX);
        let jitter = Duration::from_millis(dice(millis.max(1)));
        asked.map_or(jitter, |it| {
            it.min(MOST).saturating_add(jitter.min(MOST / 10))
        })
    }
}

/// Spreads batches: so many a minute, and no more, however much is waiting.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How many batches a minute.
    pub batches_per_minute: u64,
}

impl Pace {
    /// Returns the least time from one batch to the next.
    #[must_use]
    pub fn interval(self) -> Duration {
        let millis = 60_000_u64.div_ceil(self.batches_per_minute.max(1));
        Duration::from_millis(millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_five_minutes() {
        let mut backoff = Backoff::default();
        let mut longest = |most: u64| most - 1;
        let waits = (0..12).map(|_| backoff.failed(None, &mut longest).as_secs());
        assert_eq!(
            waits.collect::<Vec<_>>(),
            [0, 1, 3, 7, 15, 31, 63, 127, 255, 299, 299, 299]
        );
    }

    #[test]
    fn what_the_server_asks_for_is_the_least() {
        let mut backoff = Backoff::default();
        let asked = Some(Duration::from_secs(20));
        assert!(backoff.failed(asked, &mut |_| 0).as_secs() == 20);
    }

    #[test]
    fn a_success_begins_anew() {
        let mut backoff = Backoff::default();
        let mut longest = |most: u64| most - 1;
        for _ in 0..9 {
            backoff.failed(None, &mut longest);
        }
        backoff.succeeded();
        assert!(backoff.failed(None, &mut longest) < FIRST);
    }
}
