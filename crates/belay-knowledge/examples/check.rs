//! Checks files of knowledge and shows what each example reads as.
//!
//! `BELAY_KNOWLEDGE=none cargo run -p belay-knowledge --example check -- knowledge/commands/rm.toml ...`
//! Without files the whole of `knowledge/` is checked.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool for a terminal"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use belay_knowledge::{Knowledge, LoadError, Word, read};

fn main() -> ExitCode {
    let asked: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let mut files = Vec::new();
    for path in &asked {
        gather(path, &mut files);
    }
    if asked.is_empty() {
        below(Path::new("knowledge"), &mut files);
    }
    files.sort();
    files.dedup();
    let texts: Vec<(String, String)> = files.iter().filter_map(|it| load(it)).collect();
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    match Knowledge::load_texts(&texts) {
        Ok(knowledge) => {
            show(&knowledge, &asked);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}\n");
            if let LoadError::Faulty(faults) = &error {
                eprintln!("{} faults", faults.len());
            }
            ExitCode::FAILURE
        }
    }
}

/// Takes a file, and where it is a sub-command its whole command.
fn gather(path: &Path, into: &mut Vec<PathBuf>) {
    let text = path.to_string_lossy().into_owned();
    let under = text.find("commands/").map(|at| at + "commands/".len());
    let first = under.and_then(|at| {
        text.get(at..)?
            .split_once('/')
            .map(|(first, _)| (at, first.len()))
    });
    match first.and_then(|(at, length)| text.get(..at + length)) {
        Some(folder) => below(Path::new(folder), into),
        None if path.is_dir() => below(path, into),
        None => into.push(path.to_owned()),
    }
}

fn below(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        eprintln!("cannot read {}", folder.display());
        return;
    };
    for path in entries.flatten().map(|it| it.path()) {
        if path.is_dir() {
            below(&path, into);
        } else if path.extension().is_some_and(|it| it == "toml") {
            into.push(path);
        }
    }
}

fn load(path: &Path) -> Option<(String, String)> {
    let shown = path.to_string_lossy().into_owned();
    let start = ["commands/", "builtins/", "variables/", "tools/"]
        .iter()
        .find_map(|it| shown.find(it))?;
    let text = fs::read_to_string(path)
        .map_err(|error| eprintln!("cannot read {shown}: {error}"))
        .ok()?;
    Some((shown.get(start..)?.to_owned(), text))
}

fn show(knowledge: &Knowledge, asked: &[PathBuf]) {
    for example in knowledge.examples() {
        let wanted = asked.is_empty()
            || asked
                .iter()
                .any(|it| it.is_dir() || it.to_string_lossy().ends_with(&example.file));
        if !wanted || example.file.starts_with("tools/") {
            continue;
        }
        println!("{}:{}: {}", example.file, example.line, example.command);
        println!("    expects  {}", example.effects.join(" | "));
        for words in split(&example.command) {
            let known: Vec<Word<'_>> = words.iter().map(|it| abstracted(it)).collect();
            let name = words.first().map_or("", String::as_str);
            let command = knowledge.find(name).or_else(|| knowledge.builtin(name));
            match command {
                None => println!("    reads    unknown command {name}"),
                Some(command) => println!(
                    "    reads    {}",
                    read(command, &known).lines(&known).join(" | ")
                ),
            }
        }
    }
}

/// Takes a word with a `$` as one whose end is not known.
fn abstracted(word: &str) -> Word<'_> {
    match word.split_once('$') {
        Some((before, _)) => Word::Prefix(before),
        None if word.contains('*') => Word::Pattern(word),
        None => Word::Known(word),
    }
}

/// Parts a line into simple commands and words, well enough for examples.
fn split(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![vec![String::new()]];
    let mut quote = None;
    let mut escaped = false;
    for c in line.chars() {
        let Some(words) = commands.last_mut() else {
            break;
        };
        let literal = escaped || quote.is_some_and(|it| it != c);
        match c {
            '\\' if !escaped && quote != Some('\'') => {
                escaped = true;
                continue;
            }
            '\'' | '"' if !literal => quote = if quote.is_some() { None } else { Some(c) },
            ' ' | '\n' if !literal => words.push(String::new()),
            '|' | ';' | '&' if !literal => commands.push(vec![String::new()]),
            c => {
                if let Some(last) = words.last_mut() {
                    last.push(c);
                }
            }
        }
        escaped = false;
    }
    for words in &mut commands {
        words.retain(|it| !it.is_empty());
    }
    commands.retain(|it| !it.is_empty());
    commands
}
