//! How the shell behaves: what `set` and `shopt` change.

/// Whether something holds, as far as is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tri {
    /// It does not hold.
    #[default]
    No,
    /// It may hold.
    Perhaps,
    /// It holds.
    Yes,
}

impl Tri {
    /// Returns what is known when either may be so.
    pub(crate) fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Perhaps }
    }

    /// Tells whether it may hold.
    pub(crate) fn may(self) -> bool {
        self != Self::No
    }

    /// Tells whether it holds for certain.
    pub(crate) fn must(self) -> bool {
        self == Self::Yes
    }

    /// Returns the contrary.
    pub(crate) fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Perhaps => Self::Perhaps,
            Self::Yes => Self::No,
        }
    }

    /// Returns what a switch says.
    pub(crate) fn of(on: bool) -> Self {
        if on { Self::Yes } else { Self::No }
    }
}

/// The options that change what a text means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// `set -e`: a failing command ends the shell.
    pub(crate) errexit: Tri,
    /// `set -u`: a variable that is not set ends the shell.
    pub(crate) nounset: Tri,
    /// `set -f`: no globs.
    pub(crate) noglob: Tri,
    /// `set -k`: any word with `=` sets a variable.
    pub(crate) keyword: Tri,
    /// `shopt -s lastpipe`: the last command of a pipeline runs in this shell.
    pub(crate) lastpipe: Tri,
    /// `shopt -s cdable_vars`: `cd NAME` may mean a variable.
    pub(crate) cdable: Tri,
    /// `shopt -s xpg_echo`: `echo` expands escapes.
    pub(crate) echoes_escapes: Tri,
    /// Aliases are expanded.
    pub(crate) aliases: Tri,
    /// `set -o posix`.
    pub(crate) posix: Tri,
    /// `shopt -s dotglob`: a star finds hidden files too.
    pub(crate) dotglob: Tri,
    /// `shopt -s nocaseglob`: searches for files do not regard case.
    pub(crate) nocaseglob: Tri,
    /// `shopt -s nocasematch`: patterns match without regard to case.
    pub(crate) nocasematch: Tri,
    /// `shopt -s localvar_inherit`: a function's own variable begins with the older value.
    pub(crate) inherits: Tri,
    /// `set +B`: braces are letters like others.
    pub(crate) unbraced: Tri,
    /// `set -P`: `cd` follows links.
    pub(crate) physical: Tri,
    /// `shopt -s extglob`: patterns have alternatives.
    pub(crate) extglob: Tri,
    /// `shopt -s compat42` and its like: some texts mean what they meant to an older bash.
    pub(crate) compat: Tri,
    /// `set -x`: what is done is told on standard error.
    pub(crate) traces: Tri,
    /// `set -v`: what is read is told there.
    pub(crate) verbose: Tri,
    /// `set -n`, `set -t`: the shell may read no further.
    pub(crate) stops: Tri,
    /// `shopt -s inherit_errexit`: substitutions keep `set -e`.
    pub(crate) inherits_errexit: Tri,
    /// `setopt`: zsh was told to split words, to count arrays from zero, or the like.
    pub(crate) strange: Tri,
}

impl Options {
    /// Tells whether a search may find more than its pattern says as it is written.
    pub(crate) fn finds_more(&self) -> bool {
        self.dotglob.may() || self.nocaseglob.may()
    }

    /// Nobody knows how the shell behaves.
    pub(crate) const fn anything() -> Self {
        Self {
            errexit: Tri::Perhaps,
            nounset: Tri::Perhaps,
            noglob: Tri::Perhaps,
            keyword: Tri::Perhaps,
            lastpipe: Tri::Perhaps,
            cdable: Tri::Perhaps,
            echoes_escapes: Tri::Perhaps,
            aliases: Tri::Perhaps,
            posix: Tri::Perhaps,
            dotglob: Tri::Perhaps,
            nocaseglob: Tri::Perhaps,
            nocasematch: Tri::Perhaps,
            inherits: Tri::Perhaps,
            unbraced: Tri::Perhaps,
            physical: Tri::Perhaps,
            extglob: Tri::Perhaps,
            compat: Tri::Perhaps,
            traces: Tri::Perhaps,
            verbose: Tri::Perhaps,
            stops: Tri::Perhaps,
            inherits_errexit: Tri::Perhaps,
            strange: Tri::Perhaps,
        }
    }

    /// Returns what is known when either may be so.
    pub(crate) fn or(&self, other: &Self) -> Self {
        Self {
            errexit: self.errexit.or(other.errexit),
            nounset: self.nounset.or(other.nounset),
            noglob: self.noglob.or(other.noglob),
            keyword: self.keyword.or(other.keyword),
            lastpipe: self.lastpipe.or(other.lastpipe),
            cdable: self.cdable.or(other.cdable),
            echoes_escapes: self.echoes_escapes.or(other.echoes_escapes),
            aliases: self.aliases.or(other.aliases),
            posix: self.posix.or(other.posix),
            dotglob: self.dotglob.or(other.dotglob),
            nocaseglob: self.nocaseglob.or(other.nocaseglob),
            nocasematch: self.nocasematch.or(other.nocasematch),
            inherits: self.inherits.or(other.inherits),
            unbraced: self.unbraced.or(other.unbraced),
            physical: self.physical.or(other.physical),
            extglob: self.extglob.or(other.extglob),
            compat: self.compat.or(other.compat),
            traces: self.traces.or(other.traces),
            verbose: self.verbose.or(other.verbose),
            stops: self.stops.or(other.stops),
            inherits_errexit: self.inherits_errexit.or(other.inherits_errexit),
            strange: self.strange.or(other.strange),
        }
    }

    /// Drops `set -e` as bash does for a substitution, unless it was told to keep it.
    pub(crate) fn drop_errexit(&mut self) {
        self.errexit = match (self.inherits_errexit, self.posix) {
            (Tri::No, Tri::No) => Tri::No,
            (Tri::Yes, _) => self.errexit,
            (Tri::No | Tri::Perhaps, _) => self.errexit.or(Tri::No),
        };
    }

    /// Returns these options with those of another shell that only `shopt` knows.
    pub(crate) fn with_shopt(self, other: &Self) -> Self {
        let other = other.clone();
        Self {
            errexit: self.errexit,
            nounset: self.nounset,
            noglob: self.noglob,
            keyword: self.keyword,
            posix: self.posix,
            unbraced: self.unbraced,
            physical: self.physical,
            traces: self.traces,
            verbose: self.verbose,
            stops: self.stops,
            ..other
        }
    }

    /// Returns the option of a name that `set -o` or `shopt` knows, where it matters to us.
    pub(crate) fn named(&mut self, name: &str) -> Option<&mut Tri> {
        Some(match name {
            "errexit" => &mut self.errexit,
            "nounset" => &mut self.nounset,
            "noglob" => &mut self.noglob,
            "keyword" => &mut self.keyword,
            "lastpipe" => &mut self.lastpipe,
            "cdable_vars" => &mut self.cdable,
            "xpg_echo" => &mut self.echoes_escapes,
            "expand_aliases" => &mut self.aliases,
            "posix" => &mut self.posix,
            "dotglob" => &mut self.dotglob,
            "nocaseglob" => &mut self.nocaseglob,
            "nocasematch" => &mut self.nocasematch,
            "localvar_inherit" => &mut self.inherits,
            "physical" => &mut self.physical,
            "extglob" => &mut self.extglob,
            name if name.starts_with("compat") => &mut self.compat,
            "xtrace" => &mut self.traces,
            "verbose" => &mut self.verbose,
            "onecmd" | "noexec" => &mut self.stops,
            "inherit_errexit" => &mut self.inherits_errexit,
            _ => return None,
        })
    }

    /// Returns the option of a letter that `set` knows, where it matters to us.
    pub(crate) fn lettered(&mut self, letter: char) -> Option<&mut Tri> {
        Some(match letter {
            'e' => &mut self.errexit,
            'u' => &mut self.nounset,
            'f' => &mut self.noglob,
            'k' => &mut self.keyword,
            'P' => &mut self.physical,
            'x' => &mut self.traces,
            'v' => &mut self.verbose,
            't' | 'n' => &mut self.stops,
            _ => return None,
        })
    }
}
