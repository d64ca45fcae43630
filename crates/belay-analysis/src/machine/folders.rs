//! Where we are: `cd`, `pushd`, `popd`.

use belay_model::{Answer, At, Carries, Effect, Place, Question, Target, TroubleKind, Verb};

use crate::machine::builtins::after_dashes;
use crate::machine::state::{Ends, Shared, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    pub(crate) fn cd(&mut self, rest: &[Arg], mut state: State) -> Ends {
        let mut words = rest;
        let mut physical = state.options.physical.may();
        while let Some((first, more)) = words.split_first() {
            let flag = first.text().is_some_and(|it| {
                it.len() > 1
                    && it.starts_with('-')
                    && it.chars().skip(1).all(|c| "PLe@q".contains(c))
            });
            if !flag {
                break;
            }
            physical |= first.text().is_some_and(|it| it.contains('P'));
            words = more;
        }
        let words = after_dashes(words);
        let target = match words.first() {
            None => self
                .variable("HOME", &state)
                .unwrap_or_else(|| Val::known("")),
            Some(arg) if arg.text() == Some("-") => {
                let told = self.variable("OLDPWD", &state).unwrap_or_else(Val::unknown);
                // zsh knows where it came from, whatever it was told.
                let own = self.scene.shell == Shell::Zsh && state.variables.contains_key("OLDPWD");
                if own { Val::unknown() } else { told }
            }
            Some(arg) if arg.many => Val::unknown(),
            Some(arg) => arg.val.clone(),
        };
        if let Some(arg) = words.first() {
            self.searched(arg, &state);
        }
        let back = words
            .first()
            .is_some_and(|it| it.text().is_none_or(|it| it == "-"));
        if back || self.has_search_path(&state) || state.options.cdable.may() {
            // Where it was not told to go by name, it says where it went.
            self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
        }
        let mut ends = Ends::Never;
        for choice in target.choices() {
            let mut here = self.entered(&choice, state.clone());
            let moved = physical && self.lies_elsewhere(&choice, &state);
            if moved || self.leaves_link(&choice, &state) {
                let (mut inside, outside) = here.parts();
                inside.iter_mut().for_each(State::lose_folder);
                here = Ends::of(inside, outside);
            }
            ends = ends.or(here);
        }
        ends
    }

    /// Tells whether a folder may be another once its links are followed, as `cd -P` does.
    fn lies_elsewhere(&self, folder: &Val, state: &State) -> bool {
        let Some(text) = folder.text() else {
            return true;
        };
        let up = text.split('/').any(|it| it == "..");
        let path = self.absolute(text, state);
        let plain = path.as_deref().is_some_and(|it| self.is_folder(it, state));
        !plain || up || !self.followed(text, state).is_empty()
    }

    /// Tells whether a folder may be another although `cd` reads `..` by the text: where no folder is there, it goes up from
    /// what a link leads to.
    fn leaves_link(&self, folder: &Val, state: &State) -> bool {
        let Some(text) = folder.text().filter(|it| passes_through(it)) else {
            return false;
        };
        let frame = self.scene.frame;
        let cwd = state.cwd.as_deref().unwrap_or_default();
        let up = belay_places::written(text, cwd, frame.home())
            .is_none_or(|it| it.settled(frame.world).walked().contains("/.."));
        let plain = self.absolute(text, state);
        (up || text.contains("/proc/") || !self.followed(text, state).is_empty())
            && !plain.is_some_and(|it| self.is_folder(&it, state))
    }

    /// Tells whether `cd` looks for a name in other folders too.
    fn has_search_path(&self, state: &State) -> bool {
        let own = state.variables.get("CDPATH");
        own.is_some_and(|it| it.set.may() && it.held.first().text() != Some(""))
    }

    /// Says where a name may lead besides the folder below this one.
    fn searched(&mut self, arg: &Arg, state: &State) {
        let plain = !arg.text().is_some_and(|it| it.starts_with(['/', '.', '~']));
        let searched = self.has_search_path(state) || state.options.cdable.may();
        if plain && searched {
            self.trouble(
                TroubleKind::Unknown,
                "a search path decides where this leads",
                arg.span,
            );
        }
    }

    /// Enters a folder, or stays where we are because that fails.
    fn entered(&mut self, folder: &Val, state: State) -> Ends {
        let plain = !folder
            .text()
            .is_some_and(|it| it.starts_with(['/', '.', '~']));
        let searched = self.has_search_path(&state) || state.options.cdable.may();
        let mut inside = state.clone();
        if folder.text() == Some("") {
            // Some shells fail, others stay where they are: that is then where they came from, too.
            let elsewhere = state.elsewhere.clone();
            self.enter(&Val::known("."), &mut inside);
            inside.elsewhere = elsewhere;
            return Ends::of(Some(inside), Some(state));
        }
        self.enter(folder, &mut inside);
        if plain && searched {
            inside.lose_folder();
        }
        let direct = folder.text().is_some_and(|it| !passes_through(it));
        let there = direct
            && inside
                .cwd
                .as_deref()
                .is_some_and(|it| self.is_folder(it, &state));
        if there {
            Ends::Ok(inside)
        } else {
            Ends::of(Some(inside), Some(state))
        }
    }

    /// Tells whether a folder is there, and nothing in this call could have taken it away.
    fn is_folder(&self, path: &str, state: &State) -> bool {
        let frame = self.scene.frame;
        if state.cwd.as_deref() == Some(path) || path == "/" {
            return true;
        }
        !self.may_have_taken()
            && matches!(
                frame.world.ask(&Question::Kind(path.to_owned())),
                Answer::Name(kind) if kind == "folder"
            )
    }

    /// Tells whether something lies at a place, and nothing in this call could have taken it away.
    pub(crate) fn lies_still(&self, place: &Val, state: &State) -> bool {
        let path = place.text().and_then(|it| self.absolute(it, state));
        let lies = |path: String| {
            let kind = self.scene.frame.world.ask(&Question::Kind(path));
            matches!(kind, Answer::Name(_))
        };
        self.at == At::Here && !self.may_have_taken() && path.is_some_and(lies)
    }

    /// Tells whether the call may have taken something away so far.
    fn may_have_taken(&self) -> bool {
        self.may_have_done(|it| {
            matches!(
                it.verb,
                belay_model::Verb::Delete
                    | belay_model::Verb::Move
                    | belay_model::Verb::Run
                    | belay_model::Verb::Eval
                    | belay_model::Verb::Unknown
            )
        })
    }

    /// Tells whether the call may have done something so far: of very many effects nobody looks for one.
    pub(crate) fn may_have_done(&self, is: impl Fn(&Effect) -> bool) -> bool {
        const MANY: usize = 256;
        self.out.effects.len() > MANY || self.out.effects.iter().any(is)
    }

    /// Tells whether what was done may have changed what a folder holds.
    pub(crate) fn may_reach(&self, effect: &Effect, folder: &str) -> bool {
        // A script among those that are found may do as it likes: it is read, or the project's own.
        let calm = effect.verb.only_looks() || matches!(effect.verb, Verb::Run | Verb::Eval);
        let Target::Place(Place::Exact(path)) = &effect.target else {
            return !calm;
        };
        let frame = self.scene.frame;
        let path = belay_places::absolute(path, frame.cwd, frame.home());
        let around = |it: belay_places::Path| {
            it.is_within(folder) || belay_places::Path::new(folder).is_within(it.text())
        };
        !calm && (effect.verb != Verb::Write || path.is_none_or(around))
    }

    pub(crate) fn folder_stack(&mut self, name: &str, rest: &[Arg], mut state: State) -> Ends {
        let plain = match rest {
            [] => name != "pushd",
            [one] => {
                name == "pushd"
                    && one
                        .text()
                        .is_some_and(|it| !it.is_empty() && !it.starts_with(['-', '+']))
            }
            _ => false,
        };
        self.deliver(1, Stream::labelled(Carries::UNKNOWN), &mut state);
        match (name, plain) {
            ("dirs", _) => Ends::Either(state),
            ("pushd", true) => {
                let before = state.cwd.clone();
                let (ok, bad) = self.cd(rest, state).parts();
                let pushed = ok.map(|mut ok| {
                    let stack = match ((*ok.stack).clone(), before) {
                        (Some(mut stack), Some(folder)) => {
                            stack.push(folder);
                            Some(stack)
                        }
                        _ => None,
                    };
                    ok.stack = Shared::new(stack);
                    ok
                });
                Ends::of(pushed, bad)
            }
            ("popd", true) => {
                let top = (*state.stack).clone();
                let failed = state.clone();
                let back = match top {
                    Some(mut stack) => match stack.pop() {
                        Some(folder) => {
                            state.stack = Shared::new(Some(stack));
                            Val::known(folder)
                        }
                        None => return Ends::Bad(failed),
                    },
                    None => Val::unknown(),
                };
                self.enter(&back, &mut state);
                Ends::of(Some(state), Some(failed))
            }
            // Where nothing was pushed there is nothing to turn to.
            (_, false) if is_turn(rest) && state.stack.as_ref().is_some_and(Vec::is_empty) => {
                // The folder that we are in may still be turned to: then it is the one before, too.
                let mut turned = state.clone();
                turned.previous = turned.cwd.clone();
                turned.variables_moved();
                let stays = name == "pushd" && is_here(rest);
                Ends::of(stays.then_some(turned), Some(state))
            }
            // `-n` changes the stack, never the folder.
            _ if rest.first().and_then(Arg::text) == Some("-n") => {
                state.stack = Shared::new(None);
                Ends::Either(state)
            }
            _ => {
                state.stack = Shared::new(None);
                state.previous = None;
                state.lose_folder();
                state.variables_moved();
                Ends::Either(state)
            }
        }
    }
}

/// Tells whether a path goes up again from a folder that it names: that must be there too.
fn passes_through(path: &str) -> bool {
    let mut parts = path
        .split('/')
        .skip_while(|it| matches!(*it, "" | "." | ".."));
    parts.any(|it| it == "..")
}

/// Tells whether a word of `pushd` means the top of the stack, by its number.
fn is_here(rest: &[Arg]) -> bool {
    let zero = |it: &str| it.len() > 1 && it.chars().skip(1).all(|c| c == '0');
    rest.first().and_then(Arg::text).is_some_and(zero)
}

/// Tells whether words of `pushd` name no folder: nothing, or a number into the stack.
fn is_turn(rest: &[Arg]) -> bool {
    let number = |it: &str| {
        let digits = it.strip_prefix(['+', '-']);
        digits.is_some_and(|it| !it.is_empty() && it.chars().all(|c| c.is_ascii_digit()))
    };
    match rest {
        [] => true,
        [one] => one.text().is_some_and(number),
        _ => false,
    }
}
