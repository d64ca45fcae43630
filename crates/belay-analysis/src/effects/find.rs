//! What a search for files can find: the names it asks for, below the folders it looks in.

use belay_knowledge::{Deed, Deeds, Print, Reading};
use belay_model::{Answer, At, How, Question};

use crate::effects::acts::Touched;
use crate::effects::outputs::Around;
use crate::effects::sought::read;
use crate::machine::flows::{Flows, Sought};
use crate::machine::patterns;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val, escape};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Returns what `{}` and a deletion of what was found stand for.
    pub(crate) fn found(&self, flows: &Flows<'_>, folders: &[Val], state: &State) -> Vec<Val> {
        let args = flows.args;
        let follows = *flows.follows.get_or_init(|| self.follows(args));
        let mut all = folders.to_vec();
        if follows {
            all.extend(folders.iter().flat_map(|it| self.links_below(it, state)));
        }
        let sought = self.sought(flows, args);
        let found = Finds {
            names: sought.names.as_deref(),
            real: sought.real && !follows,
        };
        found.below_all(&all)
    }

    /// Tells whether a command that walks folders was told to go where links lead.
    fn follows(&self, args: &[Arg]) -> bool {
        self.tells("follows-links", called(args), args)
    }

    /// Returns the folders that links lead to below others, where a command was told to go there.
    fn followed_below(&self, folders: &[Val], args: &[Arg], state: &State) -> Vec<Val> {
        if !self.follows(args) {
            return Vec::new();
        }
        let led = folders.iter().flat_map(|it| self.links_below(it, state));
        led.collect()
    }

    /// Returns the folders that links below one lead to; what there is too much to look at leads anywhere.
    pub(crate) fn links_below(&self, folder: &Val, state: &State) -> Vec<Val> {
        let pattern = match &folder.text {
            Text::Known(text) => self.absolute(text, state).map(|it| escape(&it)),
            Text::Glob(text) => self.absolute(text, state),
            Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => None,
        };
        let Some(pattern) = pattern.filter(|_| self.at == At::Here) else {
            return Vec::new();
        };
        let pattern = format!("{}/**", pattern.trim_end_matches('/'));
        match self.scene.frame.world.ask(&Question::Links(pattern)) {
            Answer::Names(led) => {
                let folder = |it: &String| Val::known(it.trim_end_matches("/**"));
                led.iter().map(folder).collect()
            }
            Answer::No => vec![Val::unknown()],
            Answer::Unknown
            | Answer::Yes
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Vec::new(),
        }
    }

    /// Returns what a search acts on.
    pub(crate) fn sought<'a>(&self, flows: &'a Flows<'_>, args: &[Arg]) -> &'a Sought {
        flows.sought.get_or_init(|| sought(flows.deeds, args))
    }

    /// Deletes what a search finds.
    pub(crate) fn delete_found(
        &mut self,
        touched: &Touched<'_>,
        state: &mut State,
        flows: &Flows<'_>,
    ) {
        let Touched {
            effect,
            val: folder,
        } = touched;
        let args = flows.args;
        let empty = self.sought(flows, args).empty;
        for found in self.found(flows, std::slice::from_ref(*folder), state) {
            if empty {
                // As `rmdir` does: nothing is in what goes.
                self.write_place(&found, Touch::new(How::Plain, effect.span), state);
            } else {
                self.change_place(effect, &found, state);
            }
        }
        if empty && let Some(inside) = self.repository_in(folder, flows, state) {
            // A repository needs its empty folders.
            self.write_place(&inside, Touch::new(How::Plain, effect.span), state);
        }
    }

    /// Returns what lies in the repository that a search meets and does not leave out.
    fn repository_in(&self, folder: &Val, flows: &Flows<'_>, state: &State) -> Option<Val> {
        let start = folder.text()?.trim_end_matches('/');
        let spared = |below: &str| {
            let path = format!("{start}/.git/{below}");
            let leaves = |it: &String| patterns::matches(it, &path) == Some(true);
            self.sought(flows, flows.args).away.iter().any(leaves)
        };
        let path = self.absolute(&format!("{start}/.git"), state)?;
        let kind = self.scene.frame.world.ask(&Question::Kind(path.clone()));
        let safe = matches!(kind, Answer::Missing(_)) || (spared("refs") && spared("refs/heads"));
        (!safe).then(|| Val::glob(format!("{}/**", escape(&path))))
    }

    /// Returns what the names of a listing look like.
    pub(crate) fn listed(
        &self,
        reading: &Reading<'_>,
        pieces: &[belay_knowledge::Piece<'_>],
        around: &Around<'_>,
    ) -> Vec<Val> {
        let Around { args, state, .. } = *around;
        let deeds = reading.deeds;
        let mut folders: Vec<Val> = pieces.iter().map(|it| self.piece(*it, args)).collect();
        if deeds.has(Deed::Lists) {
            let shown = folders.iter().flat_map(|it| self.bare(it, around));
            return shown.collect();
        }
        let led = self.followed_below(&folders, args, state);
        let sought = sought(deeds, args);
        let knows = self.lists_no_links(&reading.name(), around);
        let found = Finds {
            names: sought.listed.as_deref(),
            real: (knows || sought.listed_real) && !self.follows(args),
        };
        folders.extend(led);
        found.below_all(&folders)
    }

    /// Returns what a command prints that lists files, each behind what became of it: they are named from the top of the
    /// repository, so that is where we must be.
    pub(crate) fn marked(&self, reading: &Reading<'_>, around: &Around<'_>) -> Option<Stream> {
        let prints = reading
            .prints
            .as_ref()
            .filter(|it| it.form == Print::Marked)?;
        let mut versions = prints.with.iter().map(|it| self.piece(*it, around.args));
        let usual = versions.all(|it| matches!(it.text(), Some("" | "1" | "v1")));
        let top = self.top(around.state);
        let here = around.state.cwd.is_some() && top.text() == around.state.cwd.as_deref();
        let pieces: Vec<_> = prints.of.iter().copied().collect();
        (usual && here).then(|| Stream::marked(&self.listed(reading, &pieces, around)))
    }

    /// The top folder of the repository we are in.
    pub(crate) fn top(&self, state: &State) -> Val {
        let Some(cwd) = state.cwd.clone() else {
            return Val::unknown();
        };
        let frame = self.scene.frame;
        match frame.world.ask(&Question::TopLevel(cwd.clone())) {
            Answer::Path(path) => Val::known(path),
            Answer::Missing(_) if self.is_on_disk(&cwd) => Val::known(""),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => {
                let here = belay_places::Path::new(&cwd);
                let root = frame.roots.iter().find(|root| here.is_within(root));
                root.map_or_else(Val::unknown, |it| Val::known(it.clone()))
            }
        }
    }

    /// Tells whether a command lists only files of its own kind, and none of them is a link that leads away.
    fn lists_no_links(&self, program: &str, around: &Around<'_>) -> bool {
        let knowledge = self.scene.knowledge;
        if knowledge.lists("lists-real-files", program) {
            return true;
        }
        let tracked = knowledge.lists("lists-tracked-files", program)
            && !self.tells("lists-untracked-too", program, around.args);
        let Some(cwd) = around.state.cwd.clone().filter(|_| tracked) else {
            return false;
        };
        // The index is asked for by the name that git gives to it.
        let question = Question::CommitLinks(cwd, ":".to_owned());
        let led = self.scene.frame.world.ask(&question);
        matches!(led, Answer::Names(links) if links.is_empty())
    }

    /// Returns what a listing shows of one operand: a file as it was named, of a folder the bare names in it.
    fn bare(&self, operand: &Val, around: &Around<'_>) -> Vec<Val> {
        match operand.text() {
            Some("." | "./") => vec![Val::glob("*")],
            Some(_) => vec![operand.clone(), Val::glob("*")],
            None if self.may_find_folder(operand, around) => vec![operand.clone(), Val::glob("*")],
            None => vec![operand.clone()],
        }
    }

    /// Tells whether one of the names that a pattern finds may be that of a folder.
    fn may_find_folder(&self, pattern: &Val, around: &Around<'_>) -> bool {
        /// So many names are looked at.
        const LOOKED_AT: u32 = 1024;
        let Text::Glob(text) = &pattern.text else {
            return true;
        };
        let program = called(around.args);
        let Some(path) = self
            .absolute(text, around.state)
            .filter(|_| pattern.is_search())
        else {
            return true;
        };
        // It was told to show folders as such.
        if self.tells_plainly("names-folders-alone", program, around.args) {
            return false;
        }
        let world = self.scene.frame.world;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let is_way = |it: &str| {
            let kind = world.ask(&Question::Kind(it.to_owned()));
            matches!(kind, Answer::Name(it) if it == "folder" || it == "link")
        };
        if folder.contains(['*', '?', '[']) {
            return !name.contains('.');
        }
        match world.ask(&Question::Entries(folder.to_owned(), LOOKED_AT)) {
            Answer::Names(names) => {
                let mut found = names.iter().map(|it| format!("{folder}/{it}"));
                names.len() >= LOOKED_AT as usize
                    || found.any(|it| belay_places::matches_path(&path, &it) && is_way(&it))
            }
            // Without a disk, an ending is taken for that of a file.
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => !name.contains('.'),
        }
    }
}

/// Returns what a command asks for, where it is one that searches.
fn sought(deeds: Deeds, args: &[Arg]) -> Sought {
    if deeds.has(Deed::Seeks) {
        read(args)
    } else {
        Sought::default()
    }
}

/// Returns the name that a command is called by, without its folder.
fn called(args: &[Arg]) -> &str {
    let program = args.first().and_then(Arg::text).unwrap_or_default();
    program.rsplit('/').next().unwrap_or(program)
}

/// What a search finds.
struct Finds<'a> {
    /// Of these names; `None` where they may be any.
    names: Option<&'a [String]>,
    /// Whether none of it is a link.
    real: bool,
}

impl Finds<'_> {
    fn below_all(&self, folders: &[Val]) -> Vec<Val> {
        folders.iter().flat_map(|it| self.below(it)).collect()
    }

    /// Returns what lies below a folder: of these names, or anything at all, the folder too.
    fn below(&self, folder: &Val) -> Vec<Val> {
        let folder_text = match &folder.text {
            Text::Known(text) => escape(text),
            Text::Glob(text) => text.clone(),
            Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => {
                return vec![Val::unknown()];
            }
        };
        let folder_text = folder_text.trim_end_matches('/').to_owned();
        let Some(names) = self.names else {
            // Stars behind stars stand for what is no link.
            let deep = if self.real { "**/**" } else { "**" };
            let all = Val::glob(format!("{folder_text}/{deep}"));
            // The folder itself is found too; of `.` the pattern says so.
            let itself = (folder_text != ".").then(|| folder.clone());
            return std::iter::once(all).chain(itself).collect();
        };
        let deep = names
            .iter()
            .map(|name| Val::glob(format!("{folder_text}/**/{name}")));
        // The folder where the search begins may have such a name itself.
        let last = folder_text.rsplit('/').next().unwrap_or_default();
        let itself = names
            .iter()
            .any(|it| patterns::matches(it, last) != Some(false));
        deep.chain((itself && !last.is_empty()).then(|| folder.clone()))
            .collect()
    }
}
