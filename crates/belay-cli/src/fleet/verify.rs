//! `belay fleet verify`: whether a bundle may come into force here.

use std::fs;
use std::path::{Path, PathBuf};

use belay_bundle::{Key, Parcel, RuleSet, open, stamp};
use belay_journal::calendar::Moment;
use belay_settings::fleet;
use clap::Args;

use crate::exit::Exit;
use crate::out::{Failure, Out, harmless};
use crate::places::Here;

/// Arguments of `belay fleet verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// The bundle; its signature is beside it, with `.minisig` at the end.
    pub file: PathBuf,
    /// A public key, instead of those in the managed settings; for who signs elsewhere.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
}

/// Checks a bundle as a machine would that has none yet.
pub fn verify(args: &VerifyArgs, out: &mut Out) -> Result<Exit, Failure> {
    let keys = keys(args)?;
    let mut beside = args.file.clone().into_os_string();
    beside.push(".minisig");
    let bundle = bytes(&args.file)?;
    let signature = bytes(Path::new(&beside))?;
    let parcel = Parcel {
        bundle: &bundle,
        signature: &signature,
    };
    let refused = |why: &dyn std::fmt::Display| {
        let file = args.file.display();
        Failure::said(harmless(&format!("{why}\n  --> {file}\n{REFUSED}")))
    };
    let accepted = open(parcel, &keys).map_err(|it| refused(&it))?;
    let now = Moment::now().0 / 1000;
    accepted.may_follow(None, now).map_err(|it| refused(&it))?;
    for set in &accepted.bundle.sets {
        fleet::sound(set).map_err(|it| refused(&it))?;
    }
    let seal = &accepted.seal;
    out.line(format_args!(
        "{} {}: the signature holds; valid until {}",
        accepted.bundle.name,
        seal.serial,
        stamp(seal.not_after)
    ))?;
    for set in &accepted.bundle.sets {
        out.line(harmless(&told(set)))?;
    }
    Ok(Exit::Done)
}

const REFUSED: &str = "hint: no machine with these keys takes this bundle; sign what `belay fleet build` made with `belay fleet sign`";

fn keys(args: &VerifyArgs) -> Result<Vec<Key>, Failure> {
    if let Some(text) = &args.key {
        let key = Key::parse(text).ok_or_else(|| {
            Failure::said(format_args!(
                "`{text}` is not a minisign public key\nhint: it is the second line of minisign.pub"
            ))
        })?;
        return Ok(vec![key]);
    }
    let keys = fleet::keys(&Here::at(None)?.settings().settings.fleet);
    match keys.is_empty() {
        true => Err(Failure::said(
            "the managed settings name no key\nhint: set `keys` in `[fleet]` of /etc/belay/config.toml, or name one with `--key`",
        )),
        false => Ok(keys),
    }
}

fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file)
        .map_err(|why| Failure::said(format_args!("cannot read `{}`: {why}", file.display())))
}

fn told(set: &RuleSet) -> String {
    let meant = &set.meant;
    let lists = [
        ("team", &meant.team),
        ("os", &meant.os),
        ("agent", &meant.agent),
    ];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let meant = lists.map(|(key, list)| format!(", {key} {}", list.join(" or ")));
    let meant: String = meant.collect();
    let taught = super::files(set.knowledge.len());
    let (stage, percent) = (set.stage, set.percent);
    format!("  {}: {stage} {percent} %{meant}{taught}", set.name)
}
