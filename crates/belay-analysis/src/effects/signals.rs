//! Signals: which of the words behind a dash name a group of processes, and which processes are the call's own.

use belay_model::{Effect, Target, Verb};

use crate::machine::value::Arg;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Signals the group that stands beside a process.
    pub(crate) fn signal_group(&mut self, effect: &Effect, args: &[Arg]) {
        let group = ["pid", "group"];
        let some = |it: &String| it != "group" && it != "all" && !it.starts_with('-');
        let one = effect.verb == Verb::Signal && effect.names().last().is_some_and(some);
        let said = || {
            let said = |it: &Effect| it.verb == Verb::Signal && it.names() == group;
            self.out.effects.last().is_some_and(said)
        };
        if one && names_group(args) && !said() {
            self.emit(Effect::of(Verb::Signal, group).spanning(effect.span));
        }
    }
}

/// Tells whether a signal reaches nobody where no process was found: without a group beside them, it does not.
pub(super) fn found_nobody(args: &[Arg]) -> bool {
    args.iter().any(|it| it.val.numbers().is_some()) && !names_group(args)
}

/// Tells whether a number behind a dash is a group: the first word behind a dash says which signal, unless a flag did.
fn names_group(args: &[Arg]) -> bool {
    let mut said = false;
    let mut words = args.iter().skip(1).map(Arg::text);
    while let Some(word) = words.next() {
        match word {
            Some("-s" | "-n" | "--signal") => {
                words.next();
                said = true;
            }
            Some("-q" | "--queue") => {
                words.next();
            }
            Some(word) if said && is_number(word) => return true,
            Some("-p" | "--pid" | "--verbose") => {}
            Some(_) | None => said = true,
        }
    }
    false
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
}

/// Signals to a process that this call started are signals to a job.
pub(super) fn own_job(effect: Effect) -> Effect {
    if effect.verb != Verb::Signal {
        return effect;
    }
    match effect.names() {
        [_, name] if name.starts_with('%') => {
            let name = name.clone();
            Effect {
                target: Target::Names(vec!["job".to_owned(), name]),
                ..effect
            }
        }
        _ => effect,
    }
}

#[cfg(test)]
mod tests {
    use belay_model::Span;

    use super::names_group;
    use crate::machine::value::Arg;

    fn check(line: &str, expected: bool) {
        let words = line.split(' ').map(|it| Arg::known(it, Span::default()));
        assert_eq!(names_group(&words.collect::<Vec<_>>()), expected, "{line}");
    }

    #[test]
    fn the_first_number_is_the_signal() {
        check("kill 99", false);
        check("kill -9 99", false);
        check("kill -s KILL 99", false);
        check("kill -KILL 98 99", false);
    }

    #[test]
    fn any_other_is_a_group() {
        check("kill -9 -42", true);
        check("kill -9 -42 99", true);
        check("kill -9 99 -42", true);
        check("kill -s KILL -42 99", true);
        check("kill -n 9 -42 99", true);
        check("kill -KILL -42 99", true);
        check("kill -- -42", true);
        check("kill 99 -42", true);
    }
}
