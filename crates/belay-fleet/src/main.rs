//! A fleet in miniature: real journals and shippers, a real receiver, a real PostgreSQL, and `kill -9` for each of them at random.
//!
//! INVARIANT: what the journals hold is the truth. Every numbered line must be in the store once, with its link, and no number may be missing.

mod checks;
mod collectors;
mod guide;
mod intake;
mod machines;
mod options;
mod parts;
mod postgres;
mod queries;
mod real;
mod relay;
mod seen;
mod storm;
mod wire;

use std::process::ExitCode;
use std::time::Instant;

use crate::options::Options;
use crate::parts::Stage;

/// What went wrong, for a person.
type Outcome<T = ()> = Result<T, String>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.first().map(String::as_str) {
        Some("machines") => machines::main(words.get(1..).unwrap_or_default()),
        _ => Options::read(&words).and_then(|it| prove(&it)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say(&format!("error: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// The whole proof, a part at a time.
fn prove(options: &Options) -> Outcome {
    say(&format!("fleet: seed {}", options.seed));
    let begun = Instant::now();
    let mut stage = Stage::set(options)?;
    checks::strangers(&stage)?;
    storm::run(&mut stage, options)?;
    checks::everything_once(&mut stage)?;
    real::run(&mut stage, options)?;
    checks::everything_once(&mut stage)?;
    checks::no_secret(&mut stage)?;
    checks::readers(&stage)?;
    seen::run(&mut stage, options)?;
    guide::run(&stage, options)?;
    collectors::run(&stage, options)?;
    intake::run(&mut stage, options)?;
    relay::run(&mut stage, options)?;
    if options.long {
        queries::run(&mut stage)?;
    }
    say(&format!(
        "fleet: all held, {:.0} s",
        begun.elapsed().as_secs_f64()
    ));
    Ok(())
}

/// Says something on stderr, where the house's chores talk.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}
