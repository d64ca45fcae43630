//! Serves the fleet's bundle and takes its trail into PostgreSQL.
//!
//! INVARIANT: an answer that says yes leaves after the rows are on the disk; what comes twice is stored once. This program is not
//! part of the gate: no hook knows it, and a machine whose receiver is gone judges as before.

mod archive;
mod looks;
mod rows;
mod served;
mod server;
mod store;
mod tokens;
mod writer;

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use belay_journal::calendar::Moment;
use clap::{Parser, Subcommand};

use crate::served::Served;
use crate::server::Server;
use crate::store::{Fault, Store};
use crate::tokens::Tokens;
use crate::writer::Writers;

/// Serves a fleet's bundle and takes its trail into PostgreSQL.
#[derive(Parser)]
#[command(name = "belay-receiver", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Bring the schema up to date, then take logs at /v1/logs and serve the bundle at /v1/bundle.
    Serve(ServeArgs),
    /// Bring the schema up to date.
    Migrate {
        /// The database: `host=/run/postgresql user=belay dbname=belay`, or an address.
        #[arg(long, value_name = "ADDRESS")]
        database: String,
    },
    /// Write old days to files (JSON lines, packed) and drop them from the database.
    Archive {
        /// The database.
        #[arg(long, value_name = "ADDRESS")]
        database: String,
        /// Keep so many days in the database.
        #[arg(long, value_name = "DAYS")]
        keep_days: u64,
        /// The folder for the files.
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Read a token from stdin and print its line for the file of tokens.
    Token {
        /// The team that the token stands for.
        team: Option<String>,
        /// The token lets people look at the fleet (`belay ui`), and nothing else.
        #[arg(long, conflicts_with = "team")]
        reader: bool,
    },
}

/// Arguments of `serve`.
#[derive(clap::Args)]
struct ServeArgs {
    /// The database: `host=/run/postgresql user=belay dbname=belay`, or an address.
    #[arg(long, value_name = "ADDRESS")]
    database: String,
    /// The file with the hashes of tokens; `belay-receiver token` makes a line.
    #[arg(long, value_name = "FILE")]
    tokens: PathBuf,
    /// Where to listen. TLS is a proxy's: listen on loopback behind one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4318")]
    listen: String,
    /// The folder with `bundle` and `bundle.minisig`.
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// How many connections write.
    #[arg(long, value_name = "N", default_value_t = 2)]
    writers: usize,
    /// How often to sum up the hours with new rows, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    rollup: u64,
}

fn main() -> ExitCode {
    match run(Cli::parse().job) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(io::stderr(), "error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(job: Job) -> Result<(), String> {
    let shown = |why: Fault| why.to_string();
    match job {
        Job::Serve(args) => serve(args),
        Job::Migrate { database } => {
            let steps = Store::migrate(&database).map_err(shown)?;
            say(&format!("{steps} steps"));
            Ok(())
        }
        Job::Archive {
            database,
            keep_days,
            to,
        } => {
            let before = Moment::now().days_before(keep_days).unwrap_or_default();
            let mut store = Store::connect(&database).map_err(shown)?;
            for day in archive::archive(&mut store, &to, before).map_err(shown)? {
                say(&format!("{}  {} rows", day.file.display(), day.rows));
            }
            Ok(())
        }
        Job::Token { team, reader } => {
            let mut token = String::new();
            io::stdin()
                .read_to_string(&mut token)
                .map_err(|why| why.to_string())?;
            let right = reader.then(|| tokens::READER.to_owned());
            let hash = Some(tokens::hash(token.trim()));
            let line = [right, hash, team].into_iter().flatten();
            say(&line.collect::<Vec<_>>().join(" "));
            Ok(())
        }
    }
}

fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn serve(args: ServeArgs) -> Result<(), String> {
    if !args.tokens.is_file() {
        let file = args.tokens.display();
        return Err(format!(
            "there is no file `{file}`, so nobody could come in\nhint: `belay-receiver token < TOKEN > {file}`"
        ));
    }
    patiently(|| Store::migrate(&args.database))?;
    let listener = server::listen(&args.listen)
        .map_err(|why| format!("cannot listen on `{}`: {why}", args.listen))?;
    let served = args.bundle.as_deref().map(Served::from);
    let writers = Writers::start(args.writers, &args.database).map_err(|why| why.to_string())?;
    sum_up(&args, served.clone()).map_err(|why| why.to_string())?;
    let _ = writeln!(io::stderr(), "listening on http://{}", args.listen);
    let server = Server {
        tokens: Tokens::of(&args.tokens),
        served,
        writers,
        database: Mutex::new(args.database),
    };
    server.run(&listener);
    Ok(())
}

/// A database that starts with us may need a while.
fn patiently(attempt: impl Fn() -> Result<usize, Fault>) -> Result<(), String> {
    const ATTEMPTS: usize = 60;
    for _ in 1..ATTEMPTS {
        match attempt() {
            Ok(_) => return Ok(()),
            Err(Fault::Away(_)) => thread::sleep(Duration::from_millis(500)),
            Err(why @ Fault::Rows(_)) => return Err(why.to_string()),
        }
    }
    attempt().map(drop).map_err(|why| why.to_string())
}

/// Sums up the hours with new rows from time to time, and writes down which bundle is served.
fn sum_up(args: &ServeArgs, served: Option<Served>) -> io::Result<()> {
    let (address, pause) = (
        args.database.clone(),
        Duration::from_secs(args.rollup.max(1)),
    );
    let work = move || {
        loop {
            if let Ok(mut store) = Store::connect(&address) {
                // What fails now is done next time.
                let told = served.as_ref().and_then(Served::told);
                let _ = told.map(|it| store.tell_bundle(&it));
                let _ = store.roll_up();
            }
            thread::sleep(pause);
        }
    };
    thread::Builder::new().spawn(work).map(drop)
}
