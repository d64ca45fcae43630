//! The stubs as programs, for whoever starts programs: `xargs`, `find`, `env`, other shells.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The names under which this program is a stub.
const NAMES: [&str; 7] = ["rid", "put", "run", "tell", "show", "f", "g"];

/// Returns the name of the stub this program was started as.
#[must_use]
pub fn name(program: &str) -> Option<&'static str> {
    let last = program.rsplit('/').next()?;
    NAMES.into_iter().find(|it| *it == last)
}

/// Does what a stub does and returns its status.
#[must_use]
pub fn act(name: &str, words: &[String]) -> u8 {
    let second = words.get(1).map(String::as_str).unwrap_or_default();
    match name {
        "run" => {
            let _ = Command::new("/bin/bash").args(["-c", second]).exec();
            return 127;
        }
        "tell" => {
            let _ = writeln!(std::io::stdout(), "{}", words.join(" "));
        }
        "put" => {
            record(name, words);
            let mut text = Vec::new();
            let _ = std::io::stdin().take(1 << 16).read_to_end(&mut text);
            let _ = fs::write(second, text);
        }
        // A stranger, who goes by the name of a function.
        "f" | "g" => record("rid", &["97".to_owned(), "/home/dev/q".to_owned()]),
        "show" => {
            record(name, words);
            let _ = std::io::stdout().write_all(&fs::read(second).unwrap_or_default());
        }
        _ => record(name, words),
    }
    luck(words)
}

fn luck(words: &[String]) -> u8 {
    let tag: usize = words
        .first()
        .and_then(|it| it.parse().ok())
        .unwrap_or_default();
    let luck = std::env::var("LUCK").unwrap_or_default();
    let digit = luck.as_bytes().get((tag * 7 + 3) % 61).copied();
    digit.unwrap_or(b'0').saturating_sub(b'0')
}

fn record(name: &str, words: &[String]) {
    let folder = std::env::current_dir().unwrap_or_default();
    let mut text = format!("{}\n\0{name}@\0{}\0", folder.display(), words.len());
    for word in words {
        text.push_str(word);
        text.push('\0');
    }
    let path = format!("/stub/acts/{}", std::process::id());
    let file = fs::File::options().append(true).create(true).open(path);
    if let Ok(mut file) = file {
        let _ = file.write_all(text.as_bytes());
    }
}
