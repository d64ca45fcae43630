//! Shipping until nothing is left or time is up: batches at a pace, waits after failures.

use std::time::Duration;

use crate::retry::{Backoff, Pace};
use crate::shipper::{Halt, Shipped, Shipper};

/// Time and chance, so that tests can have their own.
pub trait Time {
    /// Returns how long it has been since some moment.
    fn now(&self) -> Duration;
    /// Waits.
    fn sleep(&self, time: Duration);
    /// Returns a number below another, by chance.
    fn dice(&self, below: u64) -> u64;
}

/// One run of a shipper.
pub struct Run<'a> {
    /// Time and chance.
    pub time: &'a dyn Time,
    /// How fast.
    pub pace: Pace,
    /// When to stop, whatever is left.
    pub until: Duration,
    /// When to try again.
    pub backoff: &'a mut Backoff,
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct Ended {
    /// What arrived.
    pub records: u64,
    /// What was set aside.
    pub set_aside: u64,
    /// Why it ended before everything had arrived.
    pub halted: Option<Halt>,
}

impl Run<'_> {
    /// Ships until nothing is left, or time is up.
    pub fn ship(&mut self, shipper: &mut Shipper<'_>) -> Ended {
        let mut ended = Ended::default();
        loop {
            let begun = self.time.now();
            let wait = match shipper.step() {
                Ok(Shipped {
                    records,
                    set_aside,
                    more,
                }) => {
                    self.backoff.succeeded();
                    ended.records += records;
                    ended.set_aside += set_aside;
                    ended.halted = None;
                    if !more {
                        return ended;
                    }
                    let spent = self.time.now().saturating_sub(begun);
                    self.pace.interval().saturating_sub(spent)
                }
                Err(halt) => {
                    let asked = match &halt {
                        Halt::Later(_, asked) => *asked,
                        Halt::Refused(_) | Halt::Disk(_) => None,
                    };
                    let is_final = !matches!(halt, Halt::Later(..));
                    ended.halted = Some(halt);
                    if is_final {
                        return ended;
                    }
                    let time = self.time;
                    self.backoff.failed(asked, &mut |below| time.dice(below))
                }
            };
            if self.time.now().saturating_add(wait) > self.until {
                if ended.halted.is_none() {
                    let why = "there was no time for the rest".to_owned();
                    ended.halted = Some(Halt::Later(why, None));
                }
                return ended;
            }
            self.time.sleep(wait);
        }
    }
}
