//! Full requests and replies, for debugging: private files, one each, never with a key.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use belay_model::Value;

use crate::clock::now;
use crate::json::{Ordered, number, object};

/// One exchange with a provider.
pub(crate) struct Exchange<'a> {
    pub(crate) url: &'a str,
    pub(crate) request: &'a Value,
    pub(crate) status: Option<u16>,
    pub(crate) reply: &'a [u8],
    pub(crate) millis: u64,
}

/// Writes an exchange; returns the file. A dump that fails changes no verdict.
pub(crate) fn write(
    folder: &Path,
    exchange: &Exchange<'_>,
    redact: &dyn Fn(Value) -> Value,
) -> Option<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    belay_store::make_folder(folder).ok()?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{}-{count}.json", now(), std::process::id());
    let path = folder.join(name);
    let reply = redact(Value::String(
        String::from_utf8_lossy(exchange.reply).into_owned(),
    ));
    let status = exchange.status.map(|it| number(u64::from(it)));
    let whole = object([
        ("url", exchange.url.into()),
        ("request", exchange.request.clone()),
        ("status", status.unwrap_or_default()),
        ("reply", reply),
        ("millis", number(exchange.millis)),
    ]);
    let text = serde_json::to_string_pretty(&Ordered(&whole)).ok()?;
    let mut file = belay_store::create(&path).ok()?;
    file.write_all(text.as_bytes()).ok()?;
    Some(path)
}
