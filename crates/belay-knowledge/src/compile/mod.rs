//! From files to packed knowledge: used by `build.rs` for our own files and at run time for a user's.

mod bits;
mod check;
mod effect;
mod facts;
mod level;
mod list;
mod model;
mod pack;
mod prints;
mod same;
mod shared;
mod source;
mod spelling;
mod tool;
mod unread;
mod usage;
mod variable;
mod witness;

use std::collections::BTreeMap;

pub use source::Fault;

use level::Standing;
use model::{Dialect, Example, Level};
use pack::Pack;
use source::{Placed, Source};

/// A file to compile: its name under the folder of knowledge, as `commands/git/push.toml`, and its text.
#[derive(Clone, Debug)]
pub struct File {
    /// What people call it in messages.
    pub shown: String,
    /// Its path under the folder of knowledge, with `/`.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// What files say, packed.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// The bytes that lookups read.
    pub bytes: Vec<u8>,
    /// Every example: file, line, text, expected lines.
    pub examples: Vec<Shown>,
}

/// An example of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The file.
    pub file: String,
    /// The line of the example, from 1.
    pub line: usize,
    /// The command, or for tools the tool's name and its input.
    pub command: String,
    /// What it does, one line each.
    pub effects: Vec<String>,
}

/// Packs files, or says all that is wrong with them.
pub fn compile(files: &[File]) -> Result<Compiled, Vec<Fault>> {
    let mut work = Work {
        files,
        ..Work::default()
    };
    for file in files {
        work.sort_in(file);
    }
    let tree = std::mem::take(&mut work.commands);
    let levels = work.commands_of(tree);
    let tree = std::mem::take(&mut work.builtins);
    let builtins = work.commands_of(tree);
    let mut pack = Pack::new();
    let commands = work.table(&mut pack, &levels, "command");
    let builtins = work.table(&mut pack, &builtins, "builtin");
    let variables = variable::table(&mut work, &mut pack);
    let tools = tool::table(&mut work, &mut pack);
    let words = pack.table(std::mem::take(&mut work.words));
    let [aliases, scripts, packages] = work.names(&mut pack, &levels);
    let same = same::entries(&mut pack, levels.iter().map(|it| &it.0));
    let same = pack.table(same);
    let lists = list::table(&mut work, &mut pack, bound(&levels));
    work.faults.extend(pack.long.iter().map(|it| too_long(it)));
    if !work.faults.is_empty() {
        return Err(work.faults);
    }
    Ok(Compiled {
        bytes: pack.finish(&[
            commands, builtins, variables, tools, words, aliases, scripts, packages, same, lists,
        ]),
        examples: work.examples,
    })
}

/// A command that speaks of one program only.
struct Bound {
    name: String,
    path: String,
}

/// Returns the names of commands that are bound to one program, and that program.
fn bound(levels: &[(Level, &File)]) -> Vec<Bound> {
    let mut out = Vec::new();
    for (level, _) in levels {
        let Some(path) = &level.bound else { continue };
        out.extend(level.names.iter().map(|it| Bound {
            name: it.text.clone(),
            path: path.clone(),
        }));
    }
    out
}

/// Files by what they speak of, and what is wrong so far.
#[derive(Default)]
struct Work<'t> {
    files: &'t [File],
    commands: Folder<'t>,
    builtins: Folder<'t>,
    variables: Vec<&'t File>,
    tools: Vec<&'t File>,
    lists: Vec<&'t File>,
    /// Words of tools' names, and what each says.
    words: Vec<(String, u32)>,
    faults: Vec<Fault>,
    examples: Vec<Shown>,
}

/// A folder of commands: files and folders by name.
#[derive(Default)]
struct Folder<'t> {
    files: BTreeMap<String, &'t File>,
    folders: BTreeMap<String, Folder<'t>>,
}

impl<'t> Work<'t> {
    fn sort_in(&mut self, file: &'t File) {
        let mut parts: Vec<&str> = file.path.split('/').collect();
        let name = parts.pop().and_then(|it| it.strip_suffix(".toml"));
        let (kind, folders) = match (name, parts.split_first()) {
            (Some(_), Some((kind, folders))) => (*kind, folders),
            (None, _) | (_, None) => ("", &[][..]),
        };
        let name = name.unwrap_or_default().to_owned();
        let root = match kind {
            "commands" => &mut self.commands,
            "builtins" => &mut self.builtins,
            "variables" => return self.variables.push(file),
            "tools" => return self.tools.push(file),
            "lists" => return self.lists.push(file),
            _ => {
                let mut source = Source::new(&file.shown, &file.text);
                let hint = "files are `commands/*.toml`, `builtins/*.toml`, `variables/*.toml`, `tools/*.toml` or `lists/*.toml`";
                source.fault(0..0, "a file that describes nothing", hint);
                return self.faults.append(&mut source.faults);
            }
        };
        let mut folder = root;
        for part in folders {
            folder = folder.folders.entry((*part).to_owned()).or_default();
        }
        folder.files.insert(name, file);
    }

    fn commands_of(&mut self, folder: Folder<'t>) -> Vec<(Level, &'t File)> {
        let mut out = Vec::new();
        let alone = Standing {
            dialect: Dialect::Gnu,
            parent: false,
        };
        for (name, file) in folder.files {
            let levels = self.file(file, &name, alone);
            out.extend(levels.into_iter().map(|it| (it, file)));
        }
        for (name, inner) in folder.folders {
            let level = self.folder(inner, &name, alone);
            out.extend(level);
        }
        for (level, _) in &out {
            self.check(level, 0, &[]);
        }
        out
    }

    /// Reads a folder: its own file, then the sub-commands in it.
    fn folder(
        &mut self,
        mut folder: Folder<'t>,
        name: &str,
        standing: Standing,
    ) -> Option<(Level, &'t File)> {
        let Some(file) = folder.files.remove(name) else {
            let any = folder.files.values().next()?;
            let mut source = Source::new(&any.shown, &any.text);
            let what = format!("no `{name}.toml` beside it");
            source.fault(
                0..0,
                what,
                "a folder needs a file of its own name: the command itself",
            );
            self.faults.append(&mut source.faults);
            return None;
        };
        let standing = Standing {
            parent: true,
            ..standing
        };
        let mut level = self.file(file, name, standing).into_iter().next()?;
        let below = Standing {
            dialect: level.dialect.inherited(),
            parent: false,
        };
        for (name, file) in folder.files {
            level.subs.extend(self.file(file, &name, below));
        }
        for (name, inner) in folder.folders {
            level
                .subs
                .extend(self.folder(inner, &name, below).map(|it| it.0));
        }
        Some((level, file))
    }

    /// Reads a file: one command, or several where it says `[tool]`.
    fn file(&mut self, file: &'t File, name: &str, standing: Standing) -> Vec<Level> {
        let mut source = Source::new(&file.shown, &file.text);
        let tools = source.parse().map(|it| shared::tools(&mut source, it));
        let mut levels = Vec::new();
        for own in tools.into_iter().flatten() {
            let mut level = level::level(&mut source, &own.table, standing);
            level.file = self.files.iter().position(|it| std::ptr::eq(it, file));
            if level.names.is_empty() {
                level.names = own.names;
            }
            if level.names.is_empty() {
                level.names.push(Placed {
                    text: name.to_owned(),
                    span: 0..0,
                });
            }
            levels.push(level);
        }
        let examples = std::mem::take(&mut source.examples);
        if let Some(level) = levels.first() {
            check::counts(&mut source, level, &examples);
        }
        for level in &levels {
            witness::check(&mut source, level, &examples);
        }
        self.keep(&source, examples);
        self.faults.append(&mut source.faults);
        levels
    }

    fn keep(&mut self, source: &Source<'_>, examples: Vec<Example>) {
        self.examples.extend(examples.into_iter().map(|it| Shown {
            file: source.file.to_owned(),
            line: source.place(it.command.span.start).0,
            command: it.command.text,
            effects: it.effects.into_iter().map(|it| it.text).collect(),
        }));
    }

    /// Checks a command and all below it, each in its own file.
    fn check(&mut self, level: &Level, file: usize, above: &[Vec<String>]) {
        let file = level.file.unwrap_or(file);
        let mut scopes = vec![pack::slots(level)];
        scopes.extend_from_slice(above);
        if let Some(it) = self.files.get(file) {
            let mut source = Source::new(&it.shown, &it.text);
            check::level(&mut source, level, &scopes);
            same::check(&mut source, level);
            self.faults.append(&mut source.faults);
        }
        for sub in &level.subs {
            self.check(sub, file, &scopes);
        }
    }

    fn table(&mut self, pack: &mut Pack, levels: &[(Level, &'t File)], what: &str) -> (u32, u32) {
        let mut entries = Vec::new();
        let mut names: BTreeMap<&str, &str> = BTreeMap::new();
        for (level, file) in levels.iter().filter(|(it, _)| it.alias.is_empty()) {
            let at = pack.level(level, &[]);
            for name in &level.names {
                if let Some(other) = names.insert(&name.text, &file.shown) {
                    let mut source = Source::new(&file.shown, &file.text);
                    let what = format!("the {what} `{}` has a file already", name.text);
                    source.fault(name.span.clone(), what, format!("see `{other}`"));
                    self.faults.append(&mut source.faults);
                }
                entries.push((name.text.clone(), at));
            }
        }
        pack.table(entries)
    }

    /// Stores other names, scripts and packages.
    fn names(&self, pack: &mut Pack, levels: &[(Level, &'t File)]) -> [(u32, u32); 3] {
        let (mut aliases, mut scripts, mut packages) = (Vec::new(), Vec::new(), Vec::new());
        for (level, _) in levels {
            let stands: Vec<String> = level.alias.iter().map(|it| it.text.clone()).collect();
            if !stands.is_empty() {
                let at = pack.texts(&stands);
                aliases.extend(level.names.iter().map(|it| (it.text.clone(), at)));
            }
            let first: Vec<String> = level
                .names
                .iter()
                .take(1)
                .map(|it| it.text.clone())
                .collect();
            for script in &level.scripts {
                scripts.push((script.text.clone(), pack.texts(&first)));
            }
            for said in &level.packages {
                let (registry, some) = said.text.split_once(' ').unwrap_or((&said.text, ""));
                let all = level.names.iter().map(|it| it.text.as_str());
                let counts = |name: &str| some.is_empty() || some.split(' ').any(|it| it == name);
                let full = |name: &str| (format!("{registry} {name}"), 1);
                packages.extend(all.filter(|it| counts(it)).map(full));
            }
        }
        [aliases, scripts, packages].map(|it| pack.table(it))
    }
}

/// Says that a text does not fit.
fn too_long(text: &str) -> Fault {
    Fault {
        file: "knowledge".to_owned(),
        line: 1,
        column: 1,
        what: format!("a text of {} bytes, longer than 255: `{text}`", text.len()),
        hint: "part it, or say it shorter".to_owned(),
    }
}
