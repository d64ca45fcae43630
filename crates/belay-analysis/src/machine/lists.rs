//! Lists, chains and pipelines.

use std::mem::take;

use belay_shell::{Command, Entry, Joiner, List, Pipe, Tree};

use crate::machine::again::{Again, Part};
use crate::machine::files::{Worked, together};
use crate::machine::options::Tri;
use crate::machine::state::{Ends, Shared, State, Trap};
use crate::machine::stream::Stream;
use crate::machine::walk::Walker;
use crate::scene::Shell;

/// What the commands of a pipe left.
struct Piped {
    /// The files that each found and left.
    worked: Vec<Worked>,
    /// The state of the last.
    last: Option<State>,
    /// The shell around them, with what all of them linked and moved.
    led: State,
}

impl Walker<'_> {
    /// Walks a list in this shell: chain after chain, whatever became of the one before.
    pub(crate) fn list(&mut self, tree: &Tree<'_>, list: List, state: State) -> Ends {
        // One without commands, which zsh takes, ends as what stood before it.
        let mut ends = match list.is_empty() && self.scene.shell == Shell::Zsh {
            true => Ends::Either(state),
            false => Ends::Ok(state),
        };
        let joined = |it: &Entry| !matches!(it.joiner, Joiner::And | Joiner::Or);
        let mut reached = true;
        let mut again = Again::of(tree, list);
        // A line that was given up ends with the text that the shell reads, not with a loop in it.
        let whole = list == tree.root();
        let mut chains = tree.many(list).split_inclusive(joined).peekable();
        while let Some(chain) = chains.next() {
            let state = match ends.any() {
                Some(state) => state,
                // Nothing comes here, but what is written here counts.
                None => {
                    reached = false;
                    self.left_at.clone().unwrap_or_default()
                }
            };
            let background = chain
                .last()
                .is_some_and(|it| it.joiner == Joiner::Background);
            ends = if background {
                self.beside_rest(tree, chain, state)
            } else if let Some(again) = again.as_deref_mut().filter(|_| reached) {
                self.chain_once(Part { tree, chain }, state, again)
            } else {
                self.chain(tree, chain, state)
            };
            if whole && ends_line(tree, chain, chains.peek().copied()) {
                ends = self.next_line(ends);
            }
        }
        if reached { ends } else { Ends::Never }
    }

    /// Walks a chain that ends with `&`.
    fn beside_rest(&mut self, tree: &Tree<'_>, chain: &[Entry], state: State) -> Ends {
        if self.scene.shell != Shell::Zsh {
            return self.background(tree, chain, state);
        }
        // zsh runs only the last part of such a chain beside the rest.
        let here = self.chain(tree, chain, state.clone());
        here.or(self.background(tree, chain, state))
    }

    /// Brings back states that left the line before, where this is the text that the shell itself reads.
    fn next_line(&mut self, ends: Ends) -> Ends {
        let texts = self.texts;
        match self.exits.last_mut() {
            Some(left) if left.texts + 1 == texts && left.line.is_some() => {
                match left.line.take() {
                    Some(state) => ends.or(Ends::Either(state)),
                    None => ends,
                }
            }
            Some(_) | None => ends,
        }
    }

    /// Walks what `&&` and `||` join: each part on what the part before left when it ended that way.
    pub(crate) fn chain(&mut self, tree: &Tree<'_>, chain: &[Entry], state: State) -> Ends {
        let Some((first, rest)) = chain.split_first() else {
            return Ends::Ok(state);
        };
        let mut ends = self.guard(!rest.is_empty(), |walker| {
            walker.pipeline(tree, first, state)
        });
        let mut joiner = first.joiner;
        for (at, entry) in rest.iter().enumerate() {
            let (ok, bad) = ends.parts();
            let (taken, skipped) = match joiner {
                Joiner::And => (ok, Ends::of(None, bad)),
                Joiner::Semicolon
                | Joiner::Newline
                | Joiner::Background
                | Joiner::Or
                | Joiner::End => (bad, Ends::of(ok, None)),
            };
            let more = at + 1 < rest.len();
            ends = match taken {
                Some(state) => self
                    .guard(more, |walker| walker.pipeline(tree, entry, state))
                    .or(skipped),
                None => {
                    // Nothing comes here, but what is written here counts.
                    if let (Some(state), _) | (None, Some(state)) = skipped.look() {
                        let state = state.clone();
                        self.guard(true, |walker| walker.pipeline(tree, entry, state));
                    }
                    skipped
                }
            };
            joiner = entry.joiner;
        }
        ends
    }

    /// Runs something whose failure `set -e` overlooks.
    pub(crate) fn guard<T>(&mut self, guarded: bool, body: impl FnOnce(&mut Self) -> T) -> T {
        self.guarded += u32::from(guarded);
        let out = body(self);
        self.guarded -= u32::from(guarded);
        out
    }

    fn pipeline(&mut self, tree: &Tree<'_>, entry: &Entry, state: State) -> Ends {
        let commands = tree.many(entry.commands);
        let ends = self.guard(entry.negated, |walker| match commands {
            [command] => walker.run(tree, command, state),
            _ => walker.piped(tree, commands, state),
        });
        if entry.negated { ends.inverted() } else { ends }
    }

    /// Walks the commands of a pipe: each in a shell of its own, all at the same time.
    fn piped(&mut self, tree: &Tree<'_>, commands: &[Command], mut state: State) -> Ends {
        let before = state.files.clone();
        let piped = self.piped_once(tree, commands, &state);
        let Piped { worked, last, led } = piped;
        // What a later command wrote or linked may be there before an earlier one reads it.
        let writes = worked.iter().skip(1).any(|it| it.found != it.left);
        if (writes || !led.leads_like(&state)) && self.fuel.may_repeat() {
            let mut again = state.clone();
            again.led_too(&led);
            for worked in &worked {
                again.files = take(&mut again.files).or(worked.left.clone());
            }
            self.fuel.repeats += 1;
            self.piped_once(tree, commands, &again);
            self.fuel.repeats -= 1;
        }
        state.files = together(&before, &worked);
        state.led_too(&led);
        let lastpipe = match self.scene.shell {
            Shell::Zsh => Tri::Yes,
            Shell::Bash | Shell::Sh => state.options.lastpipe,
        };
        let Some(last) = last else {
            return Ends::Either(state);
        };
        let (files, traps) = (state.files.clone(), state.traps.clone());
        let merged = |mut it: State| {
            it.led_too(&led);
            it.files = files.clone();
            for trap in traps.iter() {
                if it.traps.contains(trap) {
                    continue;
                }
                it.traps.push(trap.clone());
            }
            it
        };
        let mut plain = state;
        if plain.descriptors.flows_on(&last.descriptors) {
            plain.descriptors.take_flow(last.descriptors.clone());
        }
        match lastpipe {
            Tri::No => Ends::Either(plain),
            Tri::Yes => Ends::Either(merged(last)),
            Tri::Perhaps => Ends::Either(plain.or(merged(last))),
        }
    }

    /// Walks a pipe from left to right.
    fn piped_once(&mut self, tree: &Tree<'_>, commands: &[Command], state: &State) -> Piped {
        let mut worked = Vec::with_capacity(commands.len());
        let mut flow: Option<Stream> = None;
        let mut parent = state.clone();
        let (mut last, mut shown) = (None, None);
        for command in commands {
            let mut child = self.subshell(&parent);
            let before = self.found_here(tree, command, &child);
            let found = child.files.clone();
            if let Some(stream) = flow.take() {
                let source = child.descriptors.source(stream);
                child.descriptors.lead(0, source);
            }
            let pipes = command.pipe != Pipe::None;
            if pipes {
                let end = child.descriptors.catch();
                child.descriptors.lead(1, end.clone());
                if command.pipe == Pipe::Both {
                    child.descriptors.lead(2, end);
                }
            }
            // What the last command leaves for the end of the shell waits for that of the shell around it, where it runs there.
            let mut waiting: Vec<Trap> = Vec::new();
            let ends = self.in_shell(child, |walker, child| {
                let ends = walker.run(tree, command, child);
                if !pipes {
                    let (ok, bad) = ends.look();
                    for state in [ok, bad].into_iter().flatten() {
                        waiting.extend(state.traps.iter().cloned());
                    }
                }
                ends
            });
            shown = self.narrow(shown, before).filter(|_| pipes);
            let Some(mut child) = ends.any() else {
                flow = Some(Stream::nothing());
                continue;
            };
            if pipes {
                flow = Some(child.descriptors.caught());
            }
            worked.push(Worked {
                found,
                left: child.files.clone(),
            });
            if !parent.files.is_like(&child.files) {
                parent.files = take(&mut parent.files).or(child.files.clone());
            }
            parent.led_too(&child);
            // Most commands leave what the shell around them reads and writes as it was, whose state is then not copied.
            if parent.descriptors.flows_on(&child.descriptors) {
                parent.descriptors.take_flow(child.descriptors.clone());
            }
            last = (!pipes).then(|| {
                child.descriptors.restore(&state.descriptors, &[0]);
                waiting.dedup();
                child.traps = Shared::new(waiting);
                child
            });
        }
        let led = parent;
        Piped { worked, last, led }
    }
}

/// Tells whether a line ends behind a chain.
fn ends_line(tree: &Tree<'_>, chain: &[Entry], next: Option<&[Entry]>) -> bool {
    let (Some(last), Some(next)) = (chain.last(), next.and_then(<[Entry]>::first)) else {
        return true;
    };
    let between = belay_shell::Span {
        start: last.span.end,
        end: next.span.start,
    };
    last.joiner == Joiner::Newline || tree.source(between).contains(&b'\n')
}
