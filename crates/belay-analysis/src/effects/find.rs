//! What a search for files can find: the names it asks for, below the folders it looks in.

use belay_knowledge::{Deed, Deeds};
use belay_model::{Answer, How, Question};

use crate::effects::acts::Touched;
use crate::effects::sought::read;
use crate::machine::flows::{Flows, Sought};
use crate::machine::patterns;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::value::{Arg, Text, Val, escape};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Returns what `{}` and a deletion of what was found stand for.
    pub(crate) fn found(&self, flows: &Flows<'_>, folders: &[Val], args: &[Arg]) -> Vec<Val> {
        below_all(folders, self.sought(flows, args).names.as_deref())
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
        for found in self.found(flows, std::slice::from_ref(*folder), args) {
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
        deeds: Deeds,
        pieces: &[belay_knowledge::Piece<'_>],
        args: &[Arg],
    ) -> Vec<Val> {
        let folders: Vec<Val> = pieces.iter().map(|it| self.piece(*it, args)).collect();
        if deeds.has(Deed::Lists) {
            return folders.iter().flat_map(bare).collect();
        }
        below_all(&folders, sought(deeds, args).listed.as_deref())
    }
}

/// Returns what a listing shows of one operand: a file as it was named, of a folder the bare names in it.
fn bare(operand: &Val) -> Vec<Val> {
    match operand.text() {
        Some("." | "./") => vec![Val::glob("*")],
        Some(_) => vec![operand.clone(), Val::glob("*")],
        None => vec![operand.clone()],
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

fn below_all(folders: &[Val], names: Option<&[String]>) -> Vec<Val> {
    let all = folders.iter().flat_map(|folder| below(folder, names));
    all.collect()
}

/// Returns what lies below a folder: of these names, or anything at all, the folder too.
fn below(folder: &Val, names: Option<&[String]>) -> Vec<Val> {
    let folder_text = match &folder.text {
        Text::Known(text) => escape(text),
        Text::Glob(text) => text.clone(),
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => {
            return vec![Val::unknown()];
        }
    };
    let folder_text = folder_text.trim_end_matches('/').to_owned();
    match names {
        Some(names) => {
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
        None => {
            let all = Val::glob(format!("{folder_text}/**"));
            // The folder itself is found too; of `.` the pattern says so.
            let itself = (folder_text != ".").then(|| folder.clone());
            std::iter::once(all).chain(itself).collect()
        }
    }
}
