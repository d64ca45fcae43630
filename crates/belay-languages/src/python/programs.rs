//! Programs that Python starts, written as the shell would start them.

use super::apply::Call;
use super::tables::{Place, SHELLS, Step};
use super::value::{Atom, Rest, Text, Value};
use super::walk::Walker;
use crate::Doing;

/// A variable that nobody sets: its value is anything.
const ANYTHING: &str = "\"$__anything__\"";

/// So many commands one call may stand for.
const MOST: usize = 8;

impl Walker {
    pub(super) fn program_step(&mut self, step: Step, call: &Call<'_>) -> Option<Value> {
        let commands = if let Step::Shell(place) = step {
            let text = call.get(place)?;
            self.show(&[&text]);
            shell(&text)
        } else if let Step::Words = step {
            self.words(&call.arguments.plain, call.arguments.more.is_some())
        } else {
            return self.subprocess(call);
        };
        self.run(commands, "");
        None
    }

    /// `subprocess.run` and its kin: words or a text, and where and how it runs.
    fn subprocess(&mut self, call: &Call<'_>) -> Option<Value> {
        let arguments = call.arguments;
        let command = arguments.get(Place::At(0, "args"))?;
        self.show(&[&command]);
        let by_shell = match arguments.by_name("shell") {
            None => Some(false),
            Some(_) if arguments.more.is_some() => None,
            Some(value) => truth(&value),
        };
        let commands = match by_shell {
            Some(true) => shell(&self.first_word(&command)),
            Some(false) => self.argv(&command),
            None => None,
        };
        let commands = self.with_executable(commands, call);
        let mut before = String::new();
        let settled = self.settings(call, &mut before);
        let commands = if settled { commands } else { None };
        let commands = commands.map(|it| it.into_iter().map(|it| self.fed(&it, call)).collect());
        self.run(commands, &before);
        for name in ["preexec_fn"] {
            if let Some(function) = arguments.by_name(name) {
                self.call_back(&function, &Value::inert(), arguments.at);
            }
        }
        Some(Value::inert())
    }

    /// With `shell=True` and a list, the first word is the text.
    fn first_word(&self, command: &Value) -> Value {
        match self.exactly(command) {
            Some(items) => items.first().cloned().unwrap_or_default(),
            None => command.clone(),
        }
    }

    /// The words of a list as commands of the shell; `None` when they cannot be told.
    fn argv(&mut self, list: &Value) -> Option<Vec<String>> {
        let mut commands = Vec::new();
        for atom in &list.atoms {
            let value = Value::of(atom.clone());
            match (atom, self.exactly(&value)) {
                (_, Some(items)) => commands.extend(self.words(&items, false)?),
                // A text without a shell is the name of the program.
                (Atom::Text(_) | Atom::Path(_), None) => {
                    commands.extend(self.words(&[value], false)?)
                }
                _ => return None,
            }
        }
        (commands.len() <= MOST).then_some(commands)
    }

    pub(super) fn words(&mut self, words: &[Value], more: bool) -> Option<Vec<String>> {
        let mut commands = vec![String::new()];
        for word in words {
            let texts = word.texts();
            if texts.is_empty() {
                return None;
            }
            let mut longer = Vec::new();
            for command in &commands {
                for text in &texts {
                    let space = if command.is_empty() { "" } else { " " };
                    longer.push(format!("{command}{space}{}", quoted(text)));
                }
            }
            if longer.len() > MOST {
                return None;
            }
            commands = longer;
        }
        (!more && !words.is_empty()).then_some(commands)
    }

    /// `executable=` runs something else than the first word says.
    fn with_executable(
        &mut self,
        commands: Option<Vec<String>>,
        call: &Call<'_>,
    ) -> Option<Vec<String>> {
        let Some(executable) = call
            .arguments
            .by_name("executable")
            .filter(|it| !is_none(it))
        else {
            return commands;
        };
        let is_shell = executable.whole().is_some_and(|it| SHELLS.has(it));
        if is_shell && call.arguments.by_name("shell").is_some() {
            return commands;
        }
        None
    }

    /// Folder and variables the program gets; tells whether they are known.
    fn settings(&mut self, call: &Call<'_>, before: &mut String) -> bool {
        let arguments = call.arguments;
        if let Some(folder) = arguments.by_name("cwd").filter(|it| !is_none(it)) {
            let texts = folder.texts();
            let [folder] = texts.as_slice() else {
                return false;
            };
            before.push_str(&format!("cd {} && ", quoted(folder)));
        }
        match arguments.by_name("env").filter(|it| !is_none(it)) {
            None => true,
            Some(table) => self.variables(&table, before),
        }
    }

    fn variables(&mut self, table: &Value, before: &mut String) -> bool {
        for atom in &table.atoms {
            match atom {
                Atom::Object(thing, _) if thing.name == "environ" => {}
                Atom::Inert if table.atoms.len() == 1 && table.labels.environment => {}
                Atom::Table(site) => {
                    let contents = self.contents(*site);
                    let handed_on =
                        |it: &Atom| matches!(it, Atom::Object(thing, _) if thing.name == "environ");
                    let rest = contents.rest.atoms.iter().all(handed_on);
                    if !rest || contents.items.is_some_and(|it| !it.is_empty()) {
                        return false;
                    }
                    for (name, value) in &contents.fields {
                        before.push_str(&export(name, value));
                    }
                }
                Atom::Anything
                | Atom::Inert
                | Atom::Text(_)
                | Atom::Path(_)
                | Atom::List(_)
                | Atom::Module(_)
                | Atom::Member(_)
                | Atom::Object(..)
                | Atom::Method(..)
                | Atom::Function(_)
                | Atom::Bound(..)
                | Atom::Class(_)
                | Atom::Instance(..)
                | Atom::Package(_) => return false,
            }
        }
        true
    }

    /// What the program reads: nothing, a text, a file.
    fn fed(&mut self, command: &str, call: &Call<'_>) -> String {
        let arguments = call.arguments;
        if let Some(input) = arguments.by_name("input").filter(|it| !is_none(it)) {
            let texts = input.texts();
            return match texts.as_slice() {
                [text] if text.rest == Rest::Nothing => {
                    format!("printf '%s' {} | {command}", quoted(text))
                }
                _ => format!("printf '%s' {ANYTHING} | {command}"),
            };
        }
        match arguments.by_name("stdin").filter(|it| !is_none(it)) {
            None => command.to_owned(),
            Some(stdin) => match stdin.atoms.as_slice() {
                [Atom::Object(thing, subject)] if thing.name == "file" => {
                    let texts = subject.texts();
                    match texts.as_slice() {
                        [file] => format!("{command} < {}", quoted(file)),
                        _ => format!("printf '%s' {ANYTHING} | {command}"),
                    }
                }
                [Atom::Member(member)] if member.name() == "DEVNULL" => {
                    format!("{command} < /dev/null")
                }
                _ => format!("printf '%s' {ANYTHING} | {command}"),
            },
        }
    }

    /// Runs commands, with the variables that were set before.
    pub(super) fn run(&mut self, commands: Option<Vec<String>>, before: &str) {
        let Some(commands) = commands else {
            self.does(Doing::Run(None));
            return;
        };
        let exports: String = self
            .exports
            .clone()
            .iter()
            .map(|(name, value)| export(name, value))
            .collect();
        for command in commands {
            self.does(Doing::Run(Some(format!("{exports}{before}{command}"))));
        }
    }
}

/// Texts of the shell; `None` when one of them is not known whole.
fn shell(text: &Value) -> Option<Vec<String>> {
    let texts = text.texts();
    let whole: Option<Vec<String>> = texts
        .iter()
        .map(|it| it.whole().map(str::to_owned))
        .collect();
    whole.filter(|it| !it.is_empty() && it.len() <= MOST)
}

/// Sets a variable for what follows.
fn export(name: &str, value: &Value) -> String {
    let plain = name
        .chars()
        .all(|it| it.is_ascii_alphanumeric() || it == '_');
    let texts = value.texts();
    match texts.as_slice() {
        [text] if plain => format!("export {name}={}; ", quoted(text)),
        _ if plain => format!("export {name}={ANYTHING}; "),
        _ => format!("env {ANYTHING} "),
    }
}

/// Writes a text as one word of the shell.
fn quoted(text: &Text) -> String {
    let home = text.known == "~" || text.known.starts_with("~/");
    let (home, known) = if home {
        ("~", text.known.get(1..).unwrap_or_default())
    } else {
        ("", text.known.as_str())
    };
    let known = if known.is_empty() && (!home.is_empty() || text.rest != Rest::Nothing) {
        String::new()
    } else if let (false, Some(rest)) = (home.is_empty(), known.strip_prefix('/')) {
        format!("/'{}'", rest.replace('\'', "'\\''"))
    } else {
        format!("'{}'", known.replace('\'', "'\\''"))
    };
    match text.rest {
        Rest::Nothing => format!("{home}{known}"),
        Rest::Below | Rest::Anything => format!("{home}{known}{ANYTHING}"),
    }
}

/// Tells whether a value is true; nothing when nobody knows.
fn truth(value: &Value) -> Option<bool> {
    match value.whole()? {
        "True" => Some(true),
        "False" | "None" => Some(false),
        _ => None,
    }
}

fn is_none(value: &Value) -> bool {
    value.whole() == Some("None")
}
