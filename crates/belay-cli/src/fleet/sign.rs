//! `belay fleet sign`: a signature by the program minisign. We hold no secret key and read none.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use belay_bundle::{Seal, parse_time, read};
use clap::Args;

use crate::exit::Exit;
use crate::out::{Failure, Out};

/// Who signs.
const SIGNER: &str = "minisign";

/// Arguments of `belay fleet sign`.
#[derive(Args)]
pub struct SignArgs {
    /// The bundle; its signature is written beside it, with `.minisig` at the end.
    pub file: PathBuf,
    /// The secret key of minisign.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// The number of the bundle: greater than that of every bundle before.
    #[arg(long, value_name = "NUMBER")]
    pub serial: u64,
    /// The last day, or moment, at which machines may take the bundle into force.
    #[arg(long, value_name = "DAY", value_parser = moment)]
    pub not_after: u64,
}

fn moment(text: &str) -> Result<u64, String> {
    parse_time(text).ok_or_else(|| "write 2027-12-31 or 2027-12-31T23:59:59Z".to_owned())
}

/// Signs a bundle.
pub fn sign(args: &SignArgs, out: &mut Out) -> Result<Exit, Failure> {
    let file = args.file.display();
    let bytes = fs::read(&args.file);
    let bytes = bytes.map_err(|why| Failure::said(format_args!("cannot read `{file}`: {why}")))?;
    let bundle = read(&bytes).map_err(|why| {
        let hint = "hint: make the bundle with `belay fleet build`";
        Failure::said(format_args!("{why}\n  --> {file}\n{hint}"))
    })?;
    let seal = Seal {
        serial: args.serial,
        not_after: args.not_after,
        stages: bundle.stages(),
    };
    let comment = seal.to_string();
    let mut signer = Command::new(SIGNER);
    signer.arg("-S").arg("-s").arg(&args.key);
    signer.arg("-m").arg(&args.file).arg("-t").arg(&comment);
    let done = signer.status().map_err(|why| {
        if why.kind() != ErrorKind::NotFound {
            return Failure::said(format_args!("cannot run `{SIGNER}`: {why}"));
        }
        Failure::said(format_args!(
            "the program `{SIGNER}` is not there\nhint: install it (`apt-get install {SIGNER}`, `brew install {SIGNER}`), or sign elsewhere with the trusted comment `{comment}`"
        ))
    })?;
    if !done.success() {
        return Err(Failure::said(format_args!(
            "`{SIGNER}` did not sign `{file}`: {done}\nhint: is `{}` a secret key of {SIGNER}?",
            args.key.display()
        )));
    }
    out.line(format_args!("{file}.minisig: {comment}"))?;
    Ok(Exit::Done)
}
