//! Hostile worlds: whatever a program does not set itself leads out of the project.
//!
//! A program that is harmless here too is harmless for a reason that stands in its text, so that the analysis could
//! have seen it.

use crate::world::{FILES, SETS as PLAIN, VARIABLES, World, files as files_of};

/// How many sets of files are hostile.
pub(crate) const SETS: u64 = 3;

/// What else a program may take from its environment.
const FURTHER: [&str; 8] = ["A", "M", "R", "OLDPWD", "OPTARG", "REPLY", "i", "k"];

/// What files hold that a program may read, source or run.
const TEXT: &str =
    "../q\nx=../q y=/home/dev/s z=..; cd ..; set -- ../q; f() { rid 98 ../q; }; rid 99 ../q\n";

/// Returns the files of a set, if it is a hostile one: all there, only what is read, or the folders alone.
pub(crate) fn files(set: u64) -> Option<Vec<(String, String)>> {
    let kind = set.checked_sub(PLAIN)?;
    let read = ["l", "v", "b", "a", "o1", "o1.sh", "o2"];
    let all = FILES.iter().chain(&read).copied();
    let wanted = |it: &&str| match kind {
        0 => true,
        1 => read.contains(it),
        _ => it.ends_with('/'),
    };
    let text = |it: &str| (it.to_owned(), TEXT.to_owned());
    Some(all.filter(wanted).map(text).collect())
}

/// Makes the hostile worlds.
#[must_use]
pub fn worlds() -> Vec<World> {
    let values = ["/home/dev/s", "../q", "/home/dev/s a"];
    let make = |(set, value): (u64, &str)| World {
        set: usize::try_from(set).unwrap_or_default(),
        files: files_of(set),
        variables: VARIABLES
            .iter()
            .chain(&FURTHER)
            .map(|it| ((*it).to_owned(), value.to_owned()))
            .collect(),
        luck: "01".repeat(31),
        words: vec![value.to_owned(); 3],
        strangers: true,
    };
    (PLAIN..PLAIN + SETS).zip(values).map(make).collect()
}
