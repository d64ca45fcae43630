//! The expression of a search for files, walked as the search evaluates it: what is known of a file where an action is
//! reached. An action before a test acts on everything.

use std::iter::Peekable;
use std::vec::IntoIter;

use crate::machine::flows::Sought;
use crate::machine::value::Arg;

/// Deeper groups are not read.
const DEEPEST: u32 = 32;

/// Tests and options that stand alone; of none of them we learn anything.
const ALONE: [&str; 31] = [
    "-d",
    "-daystart",
    "-depth",
    "-E",
    "-executable",
    "-false",
    "-follow",
    "-H",
    "-help",
    "-ignore_readdir_race",
    "-L",
    "-mount",
    "-nogroup",
    "-noignore_readdir_race",
    "-noleaf",
    "-nouser",
    "-nowarn",
    "-P",
    "-quit",
    "-readable",
    "-s",
    "-true",
    "-version",
    "-warn",
    "-writable",
    "-X",
    "-x",
    "-xattr",
    "-xdev",
    "--help",
    "--version",
];

/// Tests and options with one value; of none of them we learn anything.
const VALUED: [&str; 35] = [
    "-amin",
    "-anewer",
    "-atime",
    "-cmin",
    "-cnewer",
    "-context",
    "-ctime",
    "-f",
    "-flags",
    "-fstype",
    "-gid",
    "-group",
    "-ilname",
    "-inum",
    "-ipath",
    "-iregex",
    "-iwholename",
    "-links",
    "-lname",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mtime",
    "-newer",
    "-perm",
    "-regex",
    "-regextype",
    "-samefile",
    "-size",
    "-uid",
    "-used",
    "-user",
    "-xtype",
    "-Bmin",
    "-Btime",
];

/// What is known of a file at some point of the expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Facts {
    /// Its name is one of these; `None` where it may have any.
    names: Option<Vec<String>>,
    empty: bool,
    /// Whether it is no link.
    real: bool,
    /// The paths it does not have.
    away: Vec<String>,
}

impl Facts {
    fn named(mut self, name: String) -> Self {
        self.names.get_or_insert_with(|| vec![name]);
        self
    }

    fn join(self, other: Self) -> Self {
        let names = match (self.names, other.names) {
            (Some(mut ours), Some(theirs)) => {
                let new = theirs.into_iter().filter(|it| !ours.contains(it));
                let new: Vec<String> = new.collect();
                ours.extend(new);
                Some(ours)
            }
            (None, _) | (_, None) => None,
        };
        let away = self.away.into_iter().filter(|it| other.away.contains(it));
        Self {
            names,
            empty: self.empty && other.empty,
            real: self.real && other.real,
            away: away.collect(),
        }
    }
}

/// What is known once a part was true, and once it was false; `None` where that never happens.
#[derive(Default)]
struct Outcome {
    yes: Option<Facts>,
    no: Option<Facts>,
}

impl Outcome {
    fn both(facts: Option<Facts>) -> Self {
        Self {
            yes: facts.clone(),
            no: facts,
        }
    }
}

/// Tells whether what stands behind a flag runs in the folder of what was found, not where the search began.
pub(crate) fn runs_there(flag: &str) -> bool {
    matches!(flag, "-execdir" | "-okdir")
}

fn either(one: Option<Facts>, other: Option<Facts>) -> Option<Facts> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.join(other)),
        (one, other) => one.or(other),
    }
}

struct Expression {
    words: Peekable<IntoIter<String>>,
    depth: u32,
    /// What is known where something is deleted or a command is run.
    acted: Option<Facts>,
    /// What is known where a path is printed.
    printed: Option<Facts>,
}

impl Expression {
    fn list(&mut self, facts: Option<Facts>) -> Option<Outcome> {
        let mut last = self.alternatives(facts.clone())?;
        while self.words.next_if(|it| it == ",").is_some() {
            last = self.alternatives(facts.clone())?;
        }
        Some(last)
    }

    fn alternatives(&mut self, facts: Option<Facts>) -> Option<Outcome> {
        let mut sum = self.conjunction(facts)?;
        while self.words.next_if(|it| it == "-o" || it == "-or").is_some() {
            let next = self.conjunction(sum.no)?;
            sum = Outcome {
                yes: either(sum.yes, next.yes),
                no: next.no,
            };
        }
        Some(sum)
    }

    fn conjunction(&mut self, facts: Option<Facts>) -> Option<Outcome> {
        let mut sum = Outcome {
            yes: facts,
            no: None,
        };
        let ends = |it: &str| matches!(it, "," | "-o" | "-or" | ")");
        while self.words.peek().is_some_and(|it| !ends(it)) {
            if self
                .words
                .next_if(|it| it == "-a" || it == "-and")
                .is_some()
            {
                continue;
            }
            let next = self.term(sum.yes)?;
            sum = Outcome {
                yes: next.yes,
                no: either(sum.no, next.no),
            };
        }
        Some(sum)
    }

    fn term(&mut self, facts: Option<Facts>) -> Option<Outcome> {
        let word = self.words.next()?;
        match word.as_str() {
            "!" | "-not" => self.deeper(|it| {
                let Outcome { yes, no } = it.term(facts)?;
                Some(Outcome { yes: no, no: yes })
            }),
            "(" => self.deeper(|it| {
                let inner = it.list(facts)?;
                it.words.next_if(|it| it == ")").map(|_| inner)
            }),
            "-name" | "-iname" => {
                let name = self.words.next()?;
                let name = if word == "-iname" {
                    in_any_case(&name)
                } else {
                    Some(name)
                };
                let tells = |it: &String| !it.contains('/') && it.contains(char::is_alphanumeric);
                let yes = match name.filter(tells) {
                    Some(name) => facts.clone().map(|it| it.named(name)),
                    None => facts.clone(),
                };
                Some(Outcome { yes, no: facts })
            }
            "-path" | "-wholename" => {
                let path = self.words.next()?;
                let mut no = facts.clone();
                no.iter_mut().for_each(|it| it.away.push(path.clone()));
                Some(Outcome { yes: facts, no })
            }
            "-empty" => {
                let mut yes = facts.clone();
                yes.iter_mut().for_each(|it| it.empty = true);
                Some(Outcome { yes, no: facts })
            }
            "-type" => {
                let kinds = self.words.next()?;
                let mut yes = facts.clone();
                let is_link = |it: &str| it != "f" && it != "d";
                yes.iter_mut()
                    .for_each(|it| it.real |= !kinds.split(',').any(is_link));
                Some(Outcome { yes, no: facts })
            }
            "-prune" => Some(Outcome {
                yes: facts,
                no: None,
            }),
            _ => self.action(&word, facts),
        }
    }

    fn action(&mut self, word: &str, facts: Option<Facts>) -> Option<Outcome> {
        match word {
            "-delete" => self.acted = either(self.acted.take(), facts.clone()),
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                // A plus ends the command only behind braces; who takes it for the end sooner sees words it cannot read.
                while self.words.next()? != ";" {
                    if self.words.next_if(|it| it == "{}").is_some()
                        && self.words.next_if(|it| it == "+").is_some()
                    {
                        break;
                    }
                }
                self.acted = either(self.acted.take(), facts.clone());
            }
            "-print" | "-print0" | "-ls" => {
                self.printed = either(self.printed.take(), facts.clone());
            }
            "-printf" | "-fls" | "-fprint" | "-fprint0" => {
                self.words.next()?;
                self.printed = either(self.printed.take(), facts.clone());
            }
            "-fprintf" => {
                self.words.next()?;
                self.words.next()?;
                self.printed = either(self.printed.take(), facts.clone());
            }
            word if VALUED.contains(&word) || word.starts_with("-newer") => {
                self.words.next()?;
            }
            word if ALONE.contains(&word) || word.starts_with("-O") => {}
            // Folders to look in stand before the expression.
            word if !word.starts_with('-') => {}
            _ => return None,
        }
        Some(Outcome::both(facts))
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<Outcome>) -> Option<Outcome> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }
}

/// Reads what a search finds, for those who act on it and for those who read its list.
pub(super) fn read(args: &[Arg]) -> Sought {
    walked(args).unwrap_or_default()
}

fn walked(args: &[Arg]) -> Option<Sought> {
    let words: Option<Vec<String>> = args
        .iter()
        .skip(1)
        .map(|it| it.text().map(str::to_owned))
        .collect();
    let mut expression = Expression {
        words: words?.into_iter().peekable(),
        depth: 0,
        acted: None,
        printed: None,
    };
    let whole = expression.list(Some(Facts::default()))?;
    if expression.words.next().is_some() {
        return None;
    }
    let Expression { acted, printed, .. } = expression;
    // Without an action, what the whole expression is true for is printed.
    let listed = printed.or_else(|| acted.is_none().then_some(whole.yes).flatten());
    let listed = listed.unwrap_or_default();
    let acted = acted.unwrap_or_default();
    Some(Sought {
        names: acted.names,
        real: acted.real,
        empty: acted.empty,
        away: acted.away,
        listed: listed.names,
        listed_real: listed.real,
    })
}

/// Writes a name so that it is found in capital letters and in small ones.
fn in_any_case(name: &str) -> Option<String> {
    if name.contains(['[', '\\']) || !name.is_ascii() {
        return None;
    }
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_alphabetic() {
            out.extend(['[', c.to_ascii_lowercase(), c.to_ascii_uppercase(), ']']);
        } else {
            out.push(c);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use belay_model::Span;

    use super::read;
    use crate::machine::value::Arg;

    fn words(line: &str) -> Vec<Arg> {
        line.split(' ')
            .map(|it| Arg::known(it, Span::default()))
            .collect()
    }

    fn acts_on(line: &str, names: &[&str]) {
        let expected: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(read(&words(line)).names, Some(expected), "{line}");
    }

    fn acts_on_anything(line: &str) {
        assert_eq!(read(&words(line)).names, None, "{line}");
    }

    #[test]
    fn what_is_acted_on_passed_the_tests_before() {
        acts_on("find . -name *.pyc -delete", &["*.pyc"]);
        acts_on("find . -type d -name build -exec rm -rf {} +", &["build"]);
        acts_on("find . ( -name a.o -o -name b.o ) -delete", &["a.o", "b.o"]);
        acts_on(
            "find . -name a.o -delete -o -name b.o -delete",
            &["a.o", "b.o"],
        );
        acts_on("find . -not -path ./.git/* -name *.pyc -delete", &["*.pyc"]);
        acts_on(
            "find . -name *.pyc ! -path */x/* -print -delete",
            &["*.pyc"],
        );
        acts_on(
            "find . -name .git -prune -o -name *.pyc -delete",
            &["*.pyc"],
        );
        acts_on("find . ! ! -name a -delete", &["a"]);
        acts_on("find . -name a -exec ls {} ; -delete", &["a"]);
        acts_on("find . -iname a1 -delete", &["[aA]1"]);
        acts_on("find . -name x1 -print , -name y1 -delete", &["y1"]);
    }

    #[test]
    fn what_may_be_anything() {
        acts_on_anything("find . -delete");
        acts_on_anything("find . -delete -name a");
        acts_on_anything("find . -exec rm {} + -name a");
        acts_on_anything("find . -exec rm {} ; -name a");
        acts_on_anything("find . -name * -delete");
        acts_on_anything("find . -name a -o -delete");
        acts_on_anything("find . -name a -prune -o -delete");
        acts_on_anything("find . ! -name a -delete");
        acts_on_anything("find . -not ( -name a -o -name b ) -delete");
        acts_on_anything("find . ( -name a -o -size 3 ) -delete");
        acts_on_anything("find . -name a , -delete");
        acts_on_anything("find . -name a -delete -o -delete");
        acts_on_anything("find . -newer -name a -delete");
        acts_on_anything("find . -frob -name a -delete");
        acts_on_anything("find . ( -name a -delete");
        acts_on_anything("find . -iname [a]b -delete");
    }

    #[test]
    fn what_is_empty_and_what_is_spared() {
        let sought = read(&words("find . -type d -empty -not -path ./.git/* -delete"));
        assert!(sought.empty);
        assert_eq!(sought.away, ["./.git/*"]);
        assert!(!read(&words("find . -delete -empty")).empty);
        assert!(!read(&words("find . -empty -o -delete")).empty);
        assert!(!read(&words("find . ! -empty -delete")).empty);
    }

    #[test]
    fn what_is_listed() {
        let listed = |line: &str| read(&words(line)).listed;
        let names = |it: &[&str]| Some(it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        assert_eq!(listed("find . -name a -o -name b"), names(&["a", "b"]));
        assert_eq!(
            listed("find . -name a -prune -o -name b -print"),
            names(&["b"])
        );
        assert_eq!(
            listed("find . -name a -prune -o -name b"),
            names(&["a", "b"])
        );
        assert_eq!(listed("find . -name a -o -print"), None);
        assert_eq!(listed("find . -print -name a"), None);
    }
}
