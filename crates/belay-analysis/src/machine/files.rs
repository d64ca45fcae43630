//! Files that this call wrote: what is in them.

use std::collections::{BTreeMap, BTreeSet};

use belay_model::Carries;

use crate::machine::came::{Came, Filled};
use crate::machine::origins::Brought;
use crate::machine::processes::Processes;
use crate::machine::state::{FEW, Named, Shared};

/// What is known of a file that this call wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Note {
    /// What flowed into it.
    pub(crate) carries: Carries,
    /// Its text, when known.
    pub(crate) text: Option<String>,
    /// Whether its text came from elsewhere as it is: copied, appended, edited.
    pub(crate) copied: bool,
    /// Whether what was there before may still be there.
    pub(crate) perhaps: bool,
    /// Whether it was built from the project's sources.
    pub(crate) built: bool,
    /// Whether it is a link to another file, and nothing was written through it since.
    pub(crate) linked: bool,
    /// Whose number it holds, where that is all.
    pub(crate) number: Option<Box<Processes>>,
    /// The folder that came here as a whole, where that is all that is known.
    pub(crate) came: Option<Came>,
}

impl Note {
    fn or(self, other: &Self) -> Self {
        let same = self.text == other.text;
        Self {
            carries: self.carries.and(other.carries),
            copied: self.copied || other.copied || !same,
            text: self.text.filter(|_| same),
            perhaps: self.perhaps || other.perhaps,
            built: self.built && other.built,
            linked: self.linked && other.linked,
            number: self.number.filter(|it| other.number.as_ref() == Some(it)),
            came: self.came.filter(|it| Some(it) == other.came.as_ref()),
        }
    }

    /// Tells whether nothing is added where the other may be so too.
    fn covers(&self, other: &Self) -> bool {
        let same = self.text == other.text;
        self.carries.and(other.carries) == self.carries
            && (self.copied || !other.copied && same)
            && (self.text.is_none() || same)
            && (self.perhaps || !other.perhaps)
            && (!self.built || other.built)
            && (!self.linked || other.linked)
            && (self.number.is_none() || self.number == other.number)
            && (self.came.is_none() || self.came == other.came)
    }

    /// Says that what was there before may still be there.
    fn perhaps(mut self) -> Self {
        self.perhaps = true;
        self
    }

    /// Tells whether its text was read, in its place or, where it came with its folder, in the one before.
    pub(crate) fn is_read(&self, elsewhere: bool) -> bool {
        self.text.is_some() || self.came.is_some() && elsewhere
    }

    /// Returns what is known of a file that may be the one, or not.
    pub(crate) fn of_some(self) -> Self {
        Self {
            came: self.came,
            ..Self::unread(self.carries)
        }
    }

    /// A file of which only the labels are known.
    pub(crate) const fn unread(carries: Carries) -> Self {
        Self {
            carries,
            text: None,
            copied: true,
            perhaps: true,
            built: false,
            linked: false,
            number: None,
            came: None,
        }
    }
}

/// So many files are known one by one.
const EXACT: usize = 64;

/// So many patterns of files are told apart.
const LOOSE: usize = 32;

/// All files that this call wrote, by absolute path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Files {
    exact: Named<Note>,
    /// What was written to places of which only a pattern is known.
    loose: Shared<Vec<(String, Note)>>,
    /// What came from outside to folders, under names of its own.
    brought: Shared<Vec<Brought>>,
    /// The folders to which things came that may be links.
    filled: Shared<Vec<Filled>>,
    /// The files whose text a program made that nobody read.
    unread: Shared<Vec<String>>,
}

impl Files {
    /// Tells whether nothing was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.loose.is_empty() && self.brought.is_empty()
    }

    /// Tells whether two are surely the same.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let exact = self.exact.is_same(&other.exact)
            || self.exact.len() <= FEW && self.exact == other.exact;
        exact
            && self.loose.is_same(&other.loose)
            && self.brought.is_same(&other.brought)
            && self.filled.is_same(&other.filled)
            && self.unread.is_same(&other.unread)
    }

    /// Returns what is known of a file.
    pub(crate) fn get(&self, path: &str) -> Option<Note> {
        let mut found = self.exact.get(path).cloned();
        for (pattern, note) in self.loose.iter() {
            if belay_places::matches_path(pattern, path) {
                found = Some(match found {
                    Some(before) => before.or(note),
                    None => note.clone(),
                });
            }
        }
        found
    }

    /// Returns the labels of the files that a pattern may name; `None` where none of them was written.
    pub(crate) fn among(&self, pattern: &str) -> Option<Carries> {
        let exact = self.exact.iter();
        let exact = exact.filter(|(path, _)| belay_places::matches_path(pattern, path));
        let loose = self.loose.iter().map(|(_, note)| note);
        let notes = exact.map(|(_, note)| note).chain(loose);
        notes.map(|it| it.carries).reduce(Carries::and)
    }

    /// Tells whether a file may have been written.
    pub(crate) fn contains_key(&self, path: &str) -> bool {
        let mut patterns = self.loose.iter().map(|(pattern, _)| pattern);
        self.exact.contains_key(path) || patterns.any(|it| belay_places::matches_path(it, path))
    }

    /// Tells whether something below a folder may have been written.
    pub(crate) fn touches(&self, folder: &str) -> bool {
        let below = |path: &str| {
            path.strip_prefix(folder)
                .is_some_and(|it| it.starts_with('/'))
        };
        // A star stands for no slash: a pattern of no more parts than the folder names nothing below it, but perhaps the folder
        // itself or one around it, with all that is in there.
        let parts = |path: &str| path.split('/').filter(|it| !it.is_empty()).count();
        let ends = folder.match_indices('/').map(|(at, _)| at);
        let mut around: Vec<&str> = ends.filter_map(|at| folder.get(..at)).collect();
        around.push(folder);
        let names = |pattern: &str| {
            let mut around = around.iter();
            around.any(|it| belay_places::matches_path(pattern, it))
        };
        let reaches = |pattern: &str| {
            let deep = pattern.contains("**") || parts(pattern) > parts(folder);
            !pattern.starts_with('/') || deep || names(pattern)
        };
        self.loose.iter().any(|(it, _)| reaches(it)) || self.exact.keys().any(|it| below(it))
    }

    /// Says what a file holds now. Of too many files nobody knows which was written.
    pub(crate) fn insert(&mut self, path: String, note: Note) {
        if self.exact.len() >= EXACT && !self.exact.contains_key(&path) {
            return self.insert_loose("/**".to_owned(), Note::unread(note.carries));
        }
        self.exact.insert(path, note);
    }

    /// Says that a file is a link.
    pub(crate) fn link(&mut self, path: &str) {
        if let Some(note) = self.exact.get_mut(path) {
            note.linked = true;
        }
    }

    /// Says that nobody read the text of a file.
    pub(crate) fn unread(&mut self, path: &str) {
        if let Some(note) = self.exact.get_mut(path) {
            note.copied = true;
            self.unread.push(path.to_owned());
        }
    }

    /// Returns the files below a folder whose text a program made that nobody read.
    pub(crate) fn unread_below(&self, folder: &str) -> Vec<String> {
        let still = |it: &&String| self.exact.get(*it).is_none_or(|it| it.text.is_none());
        let below = |it: &&String| belay_places::Path::new(it).is_within(folder);
        let unread = self.unread.iter().filter(below).filter(still);
        unread.cloned().collect()
    }

    /// Says what files that match a pattern may hold now.
    pub(crate) fn insert_loose(&mut self, pattern: String, note: Note) {
        let pair = (pattern, note);
        let covers = |(pattern, note): &(String, Note)| {
            pattern == "/**" && note.carries.and(pair.1.carries) == note.carries
        };
        if self.loose.contains(&pair) || self.loose.iter().any(covers) {
            return;
        }
        if self.loose.len() < LOOSE {
            return self.loose.push(pair);
        }
        let labels = self.loose.iter().map(|(_, note)| note.carries);
        let carries = labels.fold(pair.1.carries, Carries::and);
        self.loose = Shared::new(vec![("/**".to_owned(), Note::unread(carries))]);
    }

    /// Says that things came from outside to a folder.
    pub(crate) fn bring(&mut self, brought: Brought) {
        if !brought.old.is_nothing() {
            for (path, note) in self.exact.iter_mut() {
                if brought.holds(path) {
                    *note = Note::unread(note.carries.and(brought.old));
                }
            }
        }
        if !self.brought.contains(&brought) {
            self.brought.push(brought);
        }
    }

    /// Says that things came to a folder that may be links.
    pub(crate) fn fill(&mut self, filled: Filled) {
        if !self.filled.contains(&filled) {
            self.filled.push(filled);
        }
    }

    /// Returns the folders to which things came that may be links.
    pub(crate) fn filled(&self) -> &[Filled] {
        &self.filled
    }

    /// Returns the labels of what may have come to a path with a folder.
    pub(crate) fn arrived(&self, path: &str, lies_there: &dyn Fn() -> bool) -> Carries {
        let around = self.brought.iter().filter(|it| it.holds(path));
        around.fold(self.with_folder(path), |sum, it| {
            let old = it.folder != path && lies_there();
            sum.and(if old { it.old } else { it.new })
        })
    }

    /// Returns the labels of what was written where a folder of a path lies: that may have been the folder.
    fn with_folder(&self, path: &str) -> Carries {
        if self.exact.is_empty() {
            return Carries::NOTHING;
        }
        let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        let notes = folders.filter_map(|it| self.exact.get(it));
        notes
            .fold(Carries::NOTHING, |sum, it| sum.and(it.carries))
            .only(Carries::OUTSIDE)
    }

    /// Returns the files below a folder whose text this call wrote.
    pub(crate) fn written_below(&self, folder: &str) -> Vec<String> {
        let below = |path: &str| belay_places::Path::new(path).is_within(folder);
        let exact = self.exact.iter();
        exact
            .filter(|(path, note)| note.text.is_some() && below(path))
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// Returns what came from outside to places in a folder, and to the folders around it.
    pub(crate) fn outside_below(&self, folder: &str) -> Vec<(String, Carries)> {
        let within = |path: &str| belay_places::Path::new(path).is_within(folder);
        let notes = self.exact.iter().filter(|(path, _)| within(path));
        let mut found: Vec<(String, Carries)> = notes
            .map(|(path, note)| (path.clone(), note.carries.only(Carries::OUTSIDE)))
            .filter(|(_, labels)| !labels.is_nothing())
            .collect();
        let trees = self
            .brought
            .iter()
            .filter(|it| within(&it.folder) || it.holds(folder));
        found.extend(trees.map(|it| (it.folder.clone(), it.new)));
        found
    }

    /// Says that any file may hold anything.
    pub(crate) fn anything(&mut self) {
        if self.exact.is_empty() {
            return;
        }
        for note in self.exact.values_mut() {
            *note = Note::unread(note.carries.and(Carries::UNKNOWN));
        }
    }

    /// Returns what is known when either may be so.
    pub(crate) fn or(mut self, other: Self) -> Self {
        if !self.exact.is_same(&other.exact) {
            self.join(&other.exact);
        }
        if !self.loose.is_same(&other.loose) {
            for (pattern, note) in other.loose.iter() {
                self.insert_loose(pattern.clone(), note.clone());
            }
        }
        self.brought_too(&other);
        self
    }

    /// Joins what is known of single files. In a long chain one of the two says nearly all of it already: that one stays, and
    /// only what it lacks is copied.
    fn join(&mut self, theirs: &Named<Note>) {
        let both = side_by_side(&self.exact, theirs);
        let mine: Vec<&Side<'_>> = both.iter().filter(|it| it.theirs_adds()).collect();
        let other: Vec<&Side<'_>> = both.iter().filter(|it| it.mine_adds()).collect();
        // Of too many files it matters which were known first.
        let all_mine = both.iter().all(|it| it.mine.is_some());
        let turned = all_mine && other.len() < mine.len();
        let lacking = if turned { other } else { mine };
        let joined: Vec<(String, Note)> = lacking.into_iter().map(Side::joined).collect();
        if turned {
            self.exact = theirs.clone();
        }
        for (path, note) in joined {
            self.insert(path, note);
        }
    }

    fn brought_too(&mut self, other: &Self) {
        for brought in other.brought.iter() {
            if !self.brought.contains(brought) {
                self.brought.push(brought.clone());
            }
        }
        for filled in other.filled.iter() {
            self.fill(filled.clone());
        }
        for path in other.unread.iter() {
            if !self.unread.contains(path) {
                self.unread.push(path.clone());
            }
        }
    }

    /// Returns what covers this and all that another round may add to it.
    pub(crate) fn widened(mut self, before: &Self) -> Self {
        if self.exact == before.exact {
            return self;
        }
        for (path, note) in self.exact.iter_mut() {
            if before.exact.get(path) != Some(note) {
                *note = Note::unread(note.carries);
            }
        }
        self
    }
}

/// What two ways know of one file.
struct Side<'a> {
    path: &'a str,
    mine: Option<&'a Note>,
    theirs: Option<&'a Note>,
}

impl Side<'_> {
    /// Tells whether the other side changes what is known here.
    fn theirs_adds(&self) -> bool {
        adds(self.mine, self.theirs)
    }

    /// Tells whether this side changes what is known there.
    fn mine_adds(&self) -> bool {
        adds(self.theirs, self.mine)
    }

    /// Returns what is known when either may be so. A file that only one of them wrote may be as it was.
    fn joined(&self) -> (String, Note) {
        let note = match (self.mine, self.theirs) {
            (Some(mine), Some(theirs)) => mine.clone().or(theirs),
            (Some(only), None) | (None, Some(only)) => only.clone().perhaps(),
            (None, None) => Note::default(),
        };
        (self.path.to_owned(), note)
    }
}

fn adds(known: Option<&Note>, other: Option<&Note>) -> bool {
    match (known, other) {
        (Some(known), Some(other)) => !known.covers(other),
        (Some(known), None) => !known.perhaps,
        (None, _) => true,
    }
}

/// Puts what two ways know of the same files side by side; both are in the order of their paths.
fn side_by_side<'a>(
    mine: &'a BTreeMap<String, Note>,
    theirs: &'a BTreeMap<String, Note>,
) -> Vec<Side<'a>> {
    let mut both = Vec::with_capacity(mine.len() + 1);
    let mut theirs = theirs.iter().peekable();
    let only = |(path, note): (&'a String, &'a Note)| Side {
        path,
        mine: None,
        theirs: Some(note),
    };
    for (path, note) in mine {
        while let Some(before) = theirs.next_if(|(it, _)| *it < path) {
            both.push(only(before));
        }
        both.push(Side {
            path,
            mine: Some(note),
            theirs: theirs.next_if(|(it, _)| *it == path).map(|it| it.1),
        });
    }
    both.extend(theirs.map(only));
    both
}

/// The files that a command found, and those that it left.
pub(crate) struct Worked {
    pub(crate) found: Files,
    pub(crate) left: Files,
}

/// Returns what is known after several commands worked at the same time: what one of them wrote is there, what several
/// wrote is anything.
pub(crate) fn together(before: &Files, all: &[Worked]) -> Files {
    let mut sum = before.clone();
    let mut changed: BTreeSet<&str> = BTreeSet::new();
    for worked in all {
        if worked.found == worked.left {
            continue;
        }
        for (path, note) in worked.left.exact.iter() {
            if worked.found.exact.get(path) == Some(note) {
                continue;
            }
            let note = if changed.insert(path) {
                note.clone()
            } else {
                Note::unread(note.carries)
            };
            sum.insert(path.clone(), note);
        }
        for (pattern, note) in worked.left.loose.iter() {
            sum.insert_loose(pattern.clone(), note.clone());
        }
        sum.brought_too(&worked.left);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes of every kind.
    fn notes() -> Vec<Note> {
        let mut all = Vec::new();
        for bits in 0..32_u32 {
            let is = |bit: u32| bits & 1 << bit != 0;
            for text in [None, Some("a"), Some("b")] {
                all.push(Note {
                    carries: [Carries::NOTHING, Carries::FETCHED][usize::from(is(0))],
                    text: text.map(str::to_owned),
                    copied: is(1),
                    perhaps: is(2),
                    built: is(3),
                    linked: is(4),
                    number: None,
                    came: None,
                });
            }
        }
        all
    }

    #[test]
    fn a_note_covers_another_where_joining_them_changes_nothing() {
        for one in notes() {
            for other in notes() {
                let joined = one.clone().or(&other);
                assert_eq!(one.covers(&other), joined == one, "{one:?} {other:?}");
                assert_eq!(joined, other.clone().or(&one), "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn it_does_not_matter_which_side_is_joined_to_which() {
        let files = |names: &[(&str, bool)]| {
            let mut files = Files::default();
            for (name, perhaps) in names {
                let note = Note {
                    perhaps: *perhaps,
                    ..Note::default()
                };
                files.insert((*name).to_owned(), note);
            }
            files
        };
        let sure = files(&[("a", false), ("b", false), ("c", false)]);
        let doubtful = files(&[("a", true), ("b", true)]);
        let joined = files(&[("a", true), ("b", true), ("c", true)]);
        assert_eq!(sure.clone().or(doubtful.clone()), joined);
        assert_eq!(doubtful.or(sure), joined);
    }
}
