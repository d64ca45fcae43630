//! Programs in other languages: only what they plainly hand to a shell, or do in words that can be read, is followed.
//! The rest is the project's own code.

use belay_languages::Language;
use belay_model::{Answer, At, Effect, How, Place, Question, Span, Target, Verb, When};

use crate::effects::called::Script;
use crate::follow::doings::Done;
use crate::follow::language::language_of;
use crate::follow::named::{first, keyed, leads_away, put_out, quoted, started, taken_in};
use crate::follow::tasks::{OwnCode, Whose};
use crate::machine::flows::Flows;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

/// How many bytes of a program are read.
const PROGRAM: u32 = 128 * 1024;

/// How many texts of one program are looked at.
const TEXTS: usize = 1024;

/// How many modules of one program are looked at.
const MODULES: usize = 16;

/// Names of functions that hand a text to a shell.
const CALLS: [&str; 12] = [
    "sh",
    "system",
    "exec",
    "execSync",
    "popen",
    "run",
    "call",
    "check_output",
    "check_call",
    "Popen",
    "shell_exec",
    "passthru",
];

/// Names of functions that delete a file by its name.
const DELETES: [&str; 8] = [
    "File.Delete",
    "Files.delete",
    "Files.deleteIfExists",
    "os.Remove",
    "remove_file",
    "unlink(",
    "unlinkSync",
    "File.delete",
];

/// Names of functions that delete a folder with all in it.
const DELETES_TREES: [&str; 11] = [
    "Directory.Delete",
    "deleteTreeAbsolute",
    "remove_all",
    "RemoveAll",
    "remove_dir_all",
    "remove_tree",
    "rm_r",
    "rm_rf",
    "rmSync",
    "rmdirSync",
    "rmtree",
];

impl Walker<'_> {
    /// Looks into a program for what it hands to a shell.
    pub(crate) fn project_code(&mut self, run: &Script<'_>, state: &mut State) {
        let Script { file, args, .. } = *run;
        let span = args.first().map(|it| it.span).unwrap_or_default();
        let path = file.text().and_then(|it| self.absolute(it, state));
        let Some(path) = path.filter(|it| {
            let known = || language_of(it, args, self.scene.knowledge).is_some();
            self.at == At::Here && known()
        }) else {
            return;
        };
        if self.calls.contains(&path) || state.files.contains_key(&path) {
            return;
        }
        let Answer::Text(bytes, true) = self
            .scene
            .frame
            .world
            .ask(&Question::Text(path.clone(), PROGRAM))
        else {
            return;
        };
        let Ok(text) = String::from_utf8(bytes) else {
            return;
        };
        self.calls.push(path.clone());
        let from = self.out.effects.len();
        let language = language_of(&path, args, self.scene.knowledge);
        let python = Language::Python.word();
        let written = Question::Provenance(path);
        let is_new = matches!(self.scene.frame.world.ask(&written), Answer::Name(_));
        let doings = language
            .filter(|it| *it == python)
            .and_then(|it| match is_new {
                true => belay_languages::read_loaded_python(&text),
                false => belay_languages::read(it, &text),
            });
        let is_read = doings.is_some();
        match doings {
            Some(doings) => {
                let done = Done { doings, span };
                self.done(done, &mut state.clone(), &mut Flows::default());
            }
            None => {
                for literal in handed_over(&text) {
                    let own = OwnCode {
                        text: &literal,
                        span,
                        whose: Whose::Project,
                    };
                    self.own_code(&own, &mut state.clone());
                }
            }
        }
        self.mark_own(from);
        if is_new && is_read {
            self.mark_named(from);
        }
        if is_new && hides_code(&text) {
            self.emit(Effect::of(Verb::Eval, ["text"]).spanning(span));
        }
        self.calls.pop();
    }

    /// Walks what a text that this session wrote hands to a shell, starts by name, takes in, and does to files away
    /// from where it works.
    pub(crate) fn handed(&mut self, text: &str, run: &Script<'_>, state: &State) {
        let span = run.args.first().map(|it| it.span).unwrap_or_default();
        for literal in handed_over(text) {
            let own = OwnCode {
                text: &literal,
                span,
                whose: Whose::Session,
            };
            self.own_code(&own, &mut state.clone());
        }
        let by = run.args.first().and_then(Arg::text).unwrap_or_default();
        let knowledge = self.scene.knowledge;
        let named = started(text, knowledge).into_iter();
        for command in named.chain(keyed(text, by, knowledge)) {
            let own = OwnCode {
                text: &command,
                span,
                whose: Whose::Project,
            };
            self.own_code(&own, &mut state.clone());
        }
        self.takes_away(text, span, state);
        self.takes_in(text, run, state);
    }

    /// Reads what a text takes in or opens by name, and writes what it opens for that, away from where it lies.
    fn takes_in(&mut self, text: &str, run: &Script<'_>, state: &State) {
        let span = run.args.first().map(|it| it.span).unwrap_or_default();
        let knowledge = self.scene.knowledge;
        let folder = run.file.text().and_then(|it| Some(it.rsplit_once('/')?.0));
        for path in taken_in(text, knowledge) {
            let path = match (path.starts_with('/'), folder) {
                (false, Some(folder)) if !path.starts_with('~') => format!("{folder}/{path}"),
                _ => path,
            };
            let path = self.of_code(Some(path));
            self.read_place(&path, Touch::new(How::Plain, span), state);
        }
        for path in put_out(text, knowledge) {
            let path = self.of_code(Some(path));
            self.write_place(&path, Touch::new(How::Plain, span), state);
        }
    }

    /// Deletes what a text plainly deletes by name, away from where its program works.
    fn takes_away(&mut self, text: &str, span: Span, state: &State) {
        for (path, how) in taken_away(text) {
            let effect = Effect::on(Verb::Delete, Place::Unknown).how(how);
            let path = self.of_code(Some(path));
            self.change_place(&effect.spanning(span), &path, state);
        }
    }

    /// Does what the functions of a Python module do that this session wrote and a tool loads: it may call any of them.
    pub(crate) fn lent_functions(&mut self, text: &str, span: Span, state: &State) {
        let Some(doings) = belay_languages::read_loaded_python(text) else {
            return;
        };
        let from = self.out.effects.len();
        let done = Done { doings, span };
        self.done(done, &mut state.clone(), &mut Flows::default());
        self.mark_own(from);
        self.mark_named(from);
    }

    /// Marks what the project's own program does: how much of it counts is not decided here.
    fn mark_own(&mut self, from: usize) {
        for effect in self.out.effects.iter_mut().skip(from) {
            effect.when = effect.when.max(When::Own);
        }
    }

    /// Marks as a task's what code of this session plainly does to something that it names: nobody vouched for that code. What it asks
    /// hosts for, and what it does to places that only a test run knows, stays a program's own: tests are full of both.
    fn mark_named(&mut self, from: usize) {
        let names = |it: &Effect| match &it.target {
            Target::Place(place) => place.known().is_some(),
            Target::Names(names) => !names.iter().any(|it| it == "?"),
            Target::Host(_) => false,
        };
        let changes = |it: &Effect| match it.verb {
            Verb::Write
            | Verb::Delete
            | Verb::Move
            | Verb::Link
            | Verb::Mark
            | Verb::Publish
            | Verb::Rewrite
            | Verb::Discard
            | Verb::History
            | Verb::Escalate
            | Verb::Persist
            | Verb::Configure
            | Verb::Destroy => true,
            Verb::Read
            | Verb::Run
            | Verb::Eval
            | Verb::Fetch
            | Verb::Send
            | Verb::Listen
            | Verb::Install
            | Verb::Signal
            | Verb::Change
            | Verb::Query
            | Verb::Bypass
            | Verb::Probe
            | Verb::Launch
            | Verb::Unknown => false,
        };
        for effect in self.out.effects.iter_mut().skip(from) {
            if effect.when == When::Own && changes(effect) && names(effect) {
                effect.when = When::Task;
            }
        }
    }

    /// A module that came from a host is code from there.
    pub(crate) fn imported(&mut self, code: &str, span: Span, state: &State) {
        for name in modules(code).take(MODULES) {
            for file in [format!("{name}.py"), format!("{name}/__init__.py")] {
                let file = Val::known(file);
                let outside = self.outside(&file, state);
                if !outside.is_nothing() {
                    let place = self.place(&file, state.cwd.as_deref());
                    self.emit(
                        Effect::on(Verb::Run, place)
                            .carrying(outside)
                            .spanning(span),
                    );
                }
            }
        }
    }
}

/// Returns the names of modules that a program loads.
fn modules(code: &str) -> impl Iterator<Item = &str> {
    let statements = code.split(['\n', ';']).map(str::trim);
    statements
        .filter_map(|it| {
            it.strip_prefix("import ")
                .or_else(|| it.strip_prefix("from "))
        })
        .flat_map(|it| it.split(" import ").next().unwrap_or(it).split(','))
        .filter_map(|it| it.split_whitespace().next()?.split('.').next())
        .filter(|it| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_'))
}

/// Tells whether a program makes code out of something that cannot be read in it.
fn hides_code(text: &str) -> bool {
    let decodes = [
        "b64decode",
        "atob(",
        "'base64'",
        "\"base64\"",
        "fromhex",
        "unhexlify",
        "decompress(",
        "marshal.loads",
    ];
    let runs = ["exec(", "eval(", "Function(", "vm.run", "compile("];
    decodes.iter().any(|it| text.contains(it)) && runs.iter().any(|it| text.contains(it))
}

/// Returns the texts in quotes that a program hands to a shell.
fn handed_over(program: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in CALLS {
        let mut rest = program;
        while let Some(at) = rest.find(name) {
            let (before, from) = rest.split_at(at);
            rest = from.get(name.len()..).unwrap_or_default();
            let apart = before
                .chars()
                .next_back()
                .is_none_or(|it| !(it.is_alphanumeric() || it == '_'));
            let inner = rest.trim_start_matches([' ', '(', '\n', 'f', 'r']);
            let inner = inner.strip_prefix("C.CString(").unwrap_or(inner);
            if apart && rest.starts_with(['(', ' ']) {
                found.extend(quoted(inner));
            }
            if found.len() >= TEXTS {
                return found;
            }
        }
    }
    found
}

/// Returns what a program deletes by a name that leads away from where it works: what it does there, it may have made.
fn taken_away(program: &str) -> Vec<(String, How)> {
    let files = DELETES.iter().map(|it| (it, How::Plain));
    let trees = DELETES_TREES.iter().map(|it| (it, How::Tree));
    let mut found = Vec::new();
    for (name, how) in files.chain(trees) {
        for (at, _) in program.match_indices(name) {
            let (before, from) = program.split_at(at);
            let glued = before
                .chars()
                .next_back()
                .is_some_and(|it| it.is_alphanumeric() || it == '_');
            let rest = from.get(name.len()..).unwrap_or_default();
            if glued || !name.ends_with('(') && !rest.starts_with(['(', ' ']) {
                continue;
            }
            let path = first(rest).map(|it| it.0);
            found.extend(path.filter(|it| leads_away(it)).map(|it| (it, how)));
            if found.len() >= TEXTS {
                return found;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{handed_over, modules, taken_away};

    #[test]
    fn texts_for_a_shell_are_found() {
        assert_eq!(handed_over("os.system('rm -rf ~')"), ["rm -rf ~"]);
        assert_eq!(
            handed_over("require(\"child_process\").execSync(\"curl x | sh\")"),
            ["curl x | sh"]
        );
        assert_eq!(handed_over("system \"ls\"; subprocess.run(['ls'])"), ["ls"]);
        assert_eq!(handed_over("run_all('x'); recall('y')"), [""; 0]);
    }

    #[test]
    fn what_is_deleted_away_from_here_is_found() {
        let check = |program: &str, paths: &[&str]| {
            let found = taken_away(program);
            let found: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
            assert_eq!(found, paths, "{program}");
        };
        check(r#"std::fs::remove_dir_all("../notes")?;"#, &["../notes"]);
        check(r#"os.RemoveAll("/home/me/notes")"#, &["/home/me/notes"]);
        check(r#"unlink("/etc/hosts");"#, &["/etc/hosts"]);
        check(r#"fs.rmSync("../notes", {recursive: true})"#, &["../notes"]);
        check(r#"fs::remove_dir_all("target/out")"#, &[]);
        check(r#"my_unlink("/etc/hosts"); remove_dir_all(path)"#, &[]);
    }

    #[test]
    fn modules_are_named() {
        let names: Vec<&str> =
            modules("import a, b.c as d; from e.f import g\nimport os").collect();
        assert_eq!(names, ["a", "b", "e", "os"]);
    }
}
