//! What some commands are known to print.

use belay_model::{Answer, Question};

use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Returns what a command prints, where that follows from its words and the surroundings.
    pub(crate) fn known_output(
        &self,
        path: &[&str],
        args: &[Arg],
        state: &State,
        input: &Stream,
    ) -> Option<Stream> {
        let operands: Vec<&Arg> = args
            .iter()
            .skip(path.len())
            .filter(|it| !is_flag(it))
            .collect();
        let flags: Vec<&str> = args
            .iter()
            .filter(|it| is_flag(it))
            .filter_map(|it| it.text())
            .collect();
        match path {
            ["echo"] => self.echoed(args),
            ["printf"] => printed(args),
            ["cat"] if operands.is_empty() => Some(input.clone()),
            ["cat"] => self.noted(&operands, state),
            ["pwd"] => Some(Stream::of(
                state.cwd.clone().map_or_else(Val::unknown, Val::known),
            )),
            ["mktemp"] => Some(Stream::of(self.temporary(args))),
            ["git", "rev-parse"] if says(args, &["rev-parse", "--show-toplevel"]) => {
                Some(Stream::of(self.top(state)))
            }
            ["git", "branch"] if says(args, &["branch", "--show-current"]) => {
                Some(Stream::of(self.branch(state)))
            }
            ["git", "rev-parse"] if says(args, &["rev-parse", "--abbrev-ref", "HEAD"]) => {
                Some(Stream::of(self.branch(state)))
            }
            ["basename"] => Some(Stream::of(
                operands.first().map_or_else(Val::unknown, |it| base(it)),
            )),
            ["dirname"] => Some(Stream::of(
                operands.first().map_or_else(Val::unknown, |it| folder(it)),
            )),
            ["realpath" | "readlink"] => {
                let one = operands.first().filter(|_| operands.len() == 1)?;
                let path = self.absolute(one.text()?, state)?;
                Some(Stream::of(Val::known(path)))
            }
            ["date"] if operands.iter().all(|it| is_plain_format(it)) => {
                Some(Stream::of(Val::segment()))
            }
            // With operands or a format they print what they were given.
            ["seq"] if flags.is_empty() => Some(Stream::of(Val::segment())),
            ["wc"] if operands.is_empty() && flags.iter().all(|it| !it.starts_with("--")) => {
                Some(Stream::of(Val::segment()))
            }
            ["id" | "whoami" | "nproc" | "uname" | "hostname" | "uuidgen" | "arch" | "tty"] => {
                Some(Stream::of(Val::segment()))
            }
            _ => None,
        }
    }

    fn echoed(&self, args: &[Arg]) -> Option<Stream> {
        let mut words = args.iter().skip(1).peekable();
        let mut escapes = false;
        while let Some(flag) = words.next_if(|it| {
            it.text()
                .is_some_and(|text| matches!(text, "-n" | "-e" | "-E" | "-ne" | "-en"))
        }) {
            escapes |= flag.text().is_some_and(|text| text.contains('e'));
        }
        let words: Vec<Arg> = words.cloned().collect();
        let mut val = crate::machine::value::join(&words);
        if let Text::Glob(text) = &val.text {
            val = Val {
                text: Text::Unknown {
                    empty: text.clone(),
                },
                carries: val.carries,
            };
        }
        if escapes && val.text().is_some_and(|it| it.contains('\\')) {
            return Some(Stream::labelled(val.carries));
        }
        Some(Stream::of(val))
    }

    fn noted(&self, operands: &[&Arg], state: &State) -> Option<Stream> {
        let [one] = operands else { return None };
        let note = self.note_of(&one.val, state)?;
        Some(match note.text {
            Some(text) => Stream::of(Val::known(text).carrying(note.carries)),
            None => Stream::labelled(note.carries),
        })
    }

    /// A new file or folder, by its template: whatever its name will be, nothing is there yet.
    fn temporary(&self, args: &[Arg]) -> Val {
        let folder = self
            .scene
            .frame
            .temps
            .first()
            .map_or("/tmp", String::as_str);
        let plain = args.iter().skip(1).all(|it| {
            it.text().is_some_and(|text| {
                text == "-d"
                    || text == "-u"
                    || text == "-q"
                    || text == "-t"
                    || text == "--suffix"
                    || !text.contains('/') && !text.starts_with("-p") && !text.starts_with("--t")
            })
        });
        let named = args
            .iter()
            .skip(1)
            .filter_map(Arg::text)
            .find(|it| it.contains("XXX") && !it.starts_with('-'));
        match named {
            Some(name) if name.starts_with("/tmp/") || name.starts_with(&format!("{folder}/")) => {
                Val::known(self.fresh_name(name))
            }
            Some(name) if name.contains('/') => Val::unknown(),
            _ if plain => Val::known(self.fresh_name(&format!("{folder}/tmp.XXXXXXXXXX"))),
            _ => Val::unknown(),
        }
    }

    /// Fills in a template: no two names of one call are the same.
    fn fresh_name(&self, template: &str) -> String {
        let count = self.names.get() + 1;
        self.names.set(count);
        let end = template.rfind("XXX").map_or(template.len(), |at| at + 3);
        let (before, after) = template.split_at_checked(end).unwrap_or((template, ""));
        format!(
            "{}{count}{after}",
            before.strip_suffix('X').unwrap_or(before)
        )
    }

    fn top(&self, state: &State) -> Val {
        let Some(cwd) = state.cwd.clone() else {
            return Val::unknown();
        };
        let frame = self.scene.frame;
        match frame.world.ask(&Question::TopLevel(cwd.clone())) {
            Answer::Path(path) => Val::known(path),
            Answer::Missing(_) if self.is_on_disk(&cwd) => Val::known(""),
            _ => {
                let here = belay_places::Path::new(&cwd);
                let root = frame.roots.iter().find(|root| here.is_within(root));
                root.map_or_else(Val::unknown, |it| Val::known(it.clone()))
            }
        }
    }

    /// Tells whether a folder is on this disk at all: of one that is not, nothing is known.
    fn is_on_disk(&self, folder: &str) -> bool {
        let question = Question::Kind(folder.to_owned());
        matches!(self.scene.frame.world.ask(&question), Answer::Name(_))
    }

    fn branch(&self, state: &State) -> Val {
        let Some(cwd) = state.cwd.clone().filter(|_| self.head_stays()) else {
            return Val::branch();
        };
        match self.scene.frame.world.ask(&Question::Branch(cwd)) {
            Answer::Name(name) => Val::known(name),
            _ => Val::branch(),
        }
    }
}

/// Tells whether a command says exactly these words after its name.
fn says(args: &[Arg], words: &[&str]) -> bool {
    let said = args.iter().skip(1).map(Arg::text);
    said.eq(words.iter().map(|it| Some(*it)))
}

/// Tells whether what `date` prints is short and no path: `+%Y-%m-%d`, not `+/etc/x`.
fn is_plain_format(operand: &Arg) -> bool {
    operand
        .text()
        .is_some_and(|it| !it.contains(['/', '~', '.']) && !it.starts_with("+-"))
}

fn is_flag(arg: &Arg) -> bool {
    arg.text()
        .is_some_and(|it| it.starts_with('-') && it.len() > 1)
}

/// `printf` with a format that has no escapes that matter and at most plain `%s`.
fn printed(args: &[Arg]) -> Option<Stream> {
    let format = args.get(1)?.text()?;
    let carries = args.iter().fold(belay_model::Carries::NOTHING, |sum, it| {
        sum.and(it.val.carries)
    });
    let labelled = || Some(Stream::labelled(carries));
    if format.starts_with('-') {
        return labelled();
    }
    let format = format.replace("\\n", "\n");
    let rest = args.get(2..).unwrap_or_default();
    if !format.contains(['%', '\\']) && rest.is_empty() {
        return Some(Stream::of(Val::known(format)));
    }
    match (format.trim_end_matches('\n'), rest) {
        ("%s", [one]) => Some(Stream::of(one.val.clone())),
        _ => labelled(),
    }
}

fn base(arg: &Arg) -> Val {
    match arg.text() {
        Some(text) => Val::known(
            text.trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or_default(),
        ),
        None => Val::segment().carrying(arg.val.carries),
    }
}

fn folder(arg: &Arg) -> Val {
    match arg.text() {
        Some(text) => match text.trim_end_matches('/').rsplit_once('/') {
            Some(("", _)) => Val::known("/"),
            Some((folder, _)) => Val::known(folder),
            None => Val::known("."),
        },
        None => Val::unknown().carrying(arg.val.carries),
    }
}
