//! Who may look at the page, and who may change something there.
//!
//! INVARIANT: a token opens the page once; what it gives is a cookie that only reads. Changes need a bearer, which is given
//! for a code that a person reads off a terminal. Nothing of this outlives the daemon.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long each kind of key counts.
const TOKEN: Duration = Duration::from_secs(5 * 60);
const CODE: Duration = Duration::from_secs(3 * 60);
const DAY: Duration = Duration::from_secs(12 * 60 * 60);

/// So often a code may be mistyped.
const TRIES: u8 = 3;

/// So many keys of a kind are kept; the oldest go.
const MOST: usize = 32;

/// The keys of the page.
#[derive(Default)]
pub struct Keys(Mutex<Given>);

#[derive(Default)]
struct Given {
    tokens: Vec<Key>,
    readers: Vec<Key>,
    bearers: Vec<Key>,
    code: Option<Code>,
}

struct Key {
    text: String,
    until: Instant,
}

struct Code {
    key: Key,
    tries: u8,
}

impl Keys {
    fn given(&self) -> MutexGuard<'_, Given> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a token that opens the page once.
    pub fn token(&self) -> io::Result<String> {
        fresh(&mut self.given().tokens, TOKEN)
    }

    /// Takes a token for a cookie.
    pub fn enter(&self, token: &str) -> io::Result<Option<String>> {
        let mut given = self.given();
        let known = take(&mut given.tokens, token);
        match known {
            true => fresh(&mut given.readers, DAY).map(Some),
            false => Ok(None),
        }
    }

    /// Tells whether a cookie may read.
    pub fn reads(&self, cookie: &str) -> bool {
        holds(&mut self.given().readers, cookie)
    }

    /// Makes the code that a person types; one before it counts no more.
    pub fn code(&self) -> io::Result<String> {
        let mut chance = [0; 8];
        File::open("/dev/urandom")?.read_exact(&mut chance)?;
        let code = format!("{:08}", u64::from_le_bytes(chance) % 100_000_000);
        self.given().code = Some(Code {
            key: Key {
                text: code.clone(),
                until: Instant::now() + CODE,
            },
            tries: TRIES,
        });
        Ok(code)
    }

    /// Takes a code for a bearer.
    pub fn unlock(&self, typed: &str) -> io::Result<Option<String>> {
        let mut given = self.given();
        let Some(mut code) = given.code.take() else {
            return Ok(None);
        };
        if code.key.until < Instant::now() {
            return Ok(None);
        }
        if same(&code.key.text, typed) {
            return fresh(&mut given.bearers, DAY).map(Some);
        }
        code.tries -= 1;
        given.code = (code.tries > 0).then_some(code);
        Ok(None)
    }

    /// Tells whether a bearer may change something.
    pub fn changes(&self, bearer: &str) -> bool {
        holds(&mut self.given().bearers, bearer)
    }
}

fn fresh(keys: &mut Vec<Key>, lasting: Duration) -> io::Result<String> {
    let text = chance()?;
    let now = Instant::now();
    keys.retain(|it| it.until > now);
    if keys.len() >= MOST {
        keys.remove(0);
    }
    keys.push(Key {
        text: text.clone(),
        until: now + lasting,
    });
    Ok(text)
}

fn holds(keys: &mut Vec<Key>, shown: &str) -> bool {
    let now = Instant::now();
    keys.retain(|it| it.until > now);
    // Every key is compared, so that the time tells nothing.
    keys.iter()
        .fold(false, |found, it| found | same(&it.text, shown))
}

fn take(keys: &mut Vec<Key>, shown: &str) -> bool {
    let known = holds(keys, shown);
    keys.retain(|it| !same(&it.text, shown));
    known
}

/// Returns a text that nobody guesses.
pub fn chance() -> io::Result<String> {
    let mut chance = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut chance)?;
    Ok(chance.iter().map(|it| format!("{it:02x}")).collect())
}

/// Compares without telling by its time how much is right.
pub fn same(known: &str, shown: &str) -> bool {
    let pairs = known.bytes().zip(shown.bytes());
    let differ = pairs.fold(0, |all, (a, b)| all | (a ^ b));
    known.len() == shown.len() && !known.is_empty() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_once() {
        let keys = Keys::default();
        let token = keys.token().unwrap();
        let cookie = keys.enter(&token).unwrap().unwrap();
        assert!(keys.reads(&cookie) && !keys.changes(&cookie));
        assert_eq!(keys.enter(&token).unwrap(), None);
        assert!(!keys.reads(&token) && !keys.reads(""));
    }

    #[test]
    fn a_code_is_typed_right_within_three_tries() {
        let keys = Keys::default();
        assert_eq!(keys.unlock("").unwrap(), None);
        let code = keys.code().unwrap();
        assert_eq!(code.len(), 8);
        assert_eq!(keys.unlock("x").unwrap(), None);
        let bearer = keys.unlock(&code).unwrap().unwrap();
        assert!(keys.changes(&bearer) && !keys.reads(&bearer));
        assert_eq!(keys.unlock(&code).unwrap(), None);
        let code = keys.code().unwrap();
        (0..3).for_each(|_| assert_eq!(keys.unlock("wrong").unwrap(), None));
        assert_eq!(keys.unlock(&code).unwrap(), None);
    }
}
