//! Serves one script until it is killed: `belay-model-server SCRIPT.json [PORT]`. The first line
//! on stdout is the base URL.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use belay_model_server::{Script, Server};

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(io::stderr(), "error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn serve() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let path = words
        .next()
        .ok_or("usage: belay-model-server SCRIPT.json [PORT]")?;
    let port = words.next().map_or(Ok(0), |port| port.parse())?;
    let script = Script::parse(&fs::read_to_string(path)?)?;
    let server = Server::start_on(port, script)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", server.url())?;
    out.flush()?;
    drop(out);
    server.wait();
    Ok(())
}
