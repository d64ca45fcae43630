//! What is asked for on the command line.

use std::path::PathBuf;

use crate::Outcome;

/// How large, how long, and with which programs.
pub struct Options {
    /// How many machines.
    pub machines: usize,
    /// How many records each writes.
    pub records: usize,
    /// Where chance begins.
    pub seed: u64,
    /// Whether to take longer.
    pub long: bool,
    /// The folder with `belay` and `belay-receiver`.
    pub programs: PathBuf,
    /// The folder with what `scripts/install-fleet` brought.
    pub cache: PathBuf,
}

impl Options {
    /// Reads the words.
    pub fn read(words: &[String]) -> Outcome<Self> {
        let mut words = words.iter();
        let mut options = Self {
            machines: 1000,
            records: 200,
            seed: 1,
            long: false,
            programs: PathBuf::from("target/debug"),
            cache: PathBuf::from(".cache/fleet"),
        };
        while let Some(word) = words.next() {
            if word == "--long" {
                options.long = true;
                options.records = 1000;
                continue;
            }
            let value = words.next().ok_or(format!("`{word}` wants a value"))?;
            let number = || {
                value
                    .parse()
                    .map_err(|_| format!("`{value}` is not a number"))
            };
            match word.as_str() {
                "--machines" => options.machines = number()?,
                "--records" => options.records = number()?,
                "--seed" => {
                    options.seed = value
                        .parse()
                        .map_err(|_| format!("`{value}` is not a seed"))?
                }
                "--programs" => options.programs = PathBuf::from(value),
                "--cache" => options.cache = PathBuf::from(value),
                _ => return Err(format!("`{word}` is not known")),
            }
        }
        for path in [&mut options.programs, &mut options.cache] {
            let whole = std::path::absolute(&path);
            *path = whole.map_err(|why| why.to_string())?;
        }
        Ok(options)
    }
}

/// Chance that can be repeated.
pub struct Dice(u64);

impl Dice {
    /// Begins with a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// Returns a number below another (xorshift, multiplied).
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % most.max(1)
    }
}
