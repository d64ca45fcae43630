//! Other ways to name the same file, folder or program.

use belay_oracle::dice::Dice;

use super::Form::Free;
use super::{Needs, Spelling, spelling, transparent};
use crate::line::{Line, Word, is_bare, joined, single};

#[rustfmt::skip]
pub const ALL: [Spelling; 14] = [
    transparent("dots in a path", Needs::Program, Free(|line, dice| paths(line, dice, |it, _| it.replacen('/', "/./", 1)))),
    transparent("doubled slash", Needs::Program, Free(|line, dice| paths(line, dice, |it, _| match it.strip_prefix('/') {
        // Two slashes at the beginning may mean something else.
        Some(rest) => format!("/{}", rest.replacen('/', "//", 1)),
        None => it.replacen('/', "//", 1),
    }))),
    spelling("tripled slash", Needs::Program, Free(|line, dice| paths(line, dice, |it, _| it.replacen('/', "///", 1)))),
    spelling("out and in again", Needs::Program, Free(|line, dice| paths(line, dice, around))),
    spelling("root by its parent", Needs::Program, Free(|line, dice| paths(line, dice, |it, _| if it.starts_with('/') { format!("/..{it}") } else { it.to_owned() }))),
    spelling("one letter as a class", Needs::Program, Free(by_class)),
    spelling("home by its variable", Needs::Program, Free(|line, dice| tilde(line, dice, &["\"$HOME\"", "$HOME", "${HOME}", "\"${HOME:?}\""]))),
    spelling("home by its name", Needs::Program, Free(|line, dice| { let home = line.scene.home.clone(); tilde(line, dice, &[home.as_str()]) })),
    spelling("home from its file", Needs::Program, Free(|line, dice| tilde(line, dice, &["\"$(echo ~)\"", "$(cd && pwd)", "$(printenv HOME)"]))),
    transparent("the working folder by name", Needs::Program, Free(|line, dice| { let cwd = line.scene.cwd.clone(); relative(line, dice, &cwd) })),
    spelling("the working folder by its variable", Needs::Program, Free(|line, dice| relative(line, dice, "$PWD"))),
    spelling("the working folder by the system", Needs::Program, Free(by_the_system)),
    spelling("go there first", Needs::Program, Free(there_first)),
    spelling("program by its path", Needs::Program, Free(by_path)),
];

/// Programs whose operands are paths and nothing else: an operand of theirs may be named another way.
const OF_FILES: &str =
    "cat chmod chown cp du head ln ls mkdir mv rm rmdir shred tail tee touch truncate wc";

fn takes_files(line: &Line<'_>) -> bool {
    let first = line.program().and_then(|it| it.first()?.value.as_deref());
    first.is_some_and(|first| OF_FILES.split(' ').any(|it| it == first))
}

/// Programs that read a slash as something else, or whose paths lie elsewhere.
const OTHERWISE: &str = "sed awk gawk mawk perl grep egrep rg ag find fd curl wget docker podman kubectl ssh scp rsync sftp http gh aws gcloud az mysql psql redis-cli \
    sqlite3 jq yq dd git make printf expr tr cut xmllint ldapsearch vault consul etcdctl nerdctl lxc oc helm restic rclone gsutil s3cmd mc smbclient adb oras skopeo crane \
    zfs busctl dbus-send gdbus systemctl nmcli diskutil launchctl pnpm npm yarn bun deno node cmd.exe xargs parallel env sh bash zsh dash";

/// Writes the absolute paths among the operands anew.
fn paths(line: &Line<'_>, dice: &mut Dice, write: fn(&str, &mut Dice) -> String) -> Option<String> {
    let mut words = line.program()?.to_vec();
    let own = takes_files(line);
    let first = words.first()?.value.clone()?;
    // The program may stand behind another that starts it.
    let named = |name: &str| words.iter().any(|it| it.bare() == Some(name));
    if !own
        && (OTHERWISE.split_ascii_whitespace().any(named)
            || belay_knowledge::find(&first).is_none())
    {
        return None;
    }
    let mut changed = false;
    for word in words.iter_mut().skip(1) {
        let Some(value) = word.bare() else { continue };
        let clean = value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c));
        let absolute = value.starts_with('/') && value.len() > 1 && !value.starts_with("//");
        let inside = own && !value.starts_with('-') && value.contains('/');
        if clean && (absolute || inside) && !value.contains("/proc/self") {
            let raw = write(value, dice);
            changed |= raw != word.raw;
            word.raw = raw;
        }
    }
    changed.then(|| joined(&words))
}

fn around(path: &str, _: &mut Dice) -> String {
    // A link on the way would lead elsewhere; the folders at the root are none.
    let first = path
        .trim_start_matches('/')
        .split('/')
        .next()
        .unwrap_or_default();
    match path.starts_with('/') && ["etc", "usr", "home", "var"].contains(&first) {
        true => format!("/{first}/..{path}"),
        false => path.to_owned(),
    }
}

/// A pattern finds what is there; what makes its operand would make another one.
fn by_class(line: &Line<'_>, dice: &mut Dice) -> Option<String> {
    let makes = ["mkdir", "touch", "cp", "mv", "ln", "tee", "truncate"];
    let finds = takes_files(line) && !makes.contains(&line.program()?.first()?.bare()?);
    paths(line, dice, classed).filter(|_| finds)
}

fn classed(path: &str, _: &mut Dice) -> String {
    match path.char_indices().next_back() {
        Some((at, c)) if c.is_ascii_alphanumeric() => {
            let before = path.get(..at).unwrap_or_default();
            format!("{before}[{c}]")
        }
        Some(_) | None => path.to_owned(),
    }
}

/// Writes `~` anew.
fn tilde(line: &Line<'_>, dice: &mut Dice, homes: &[&str]) -> Option<String> {
    let mut words = line.program()?.to_vec();
    let mut changed = false;
    for word in words.iter_mut().skip(1) {
        let Some(rest) = word.raw.strip_prefix('~') else {
            continue;
        };
        let home = dice.pick(homes)?;
        let plain = rest.is_empty() || rest.starts_with('/');
        if plain && !home.is_empty() {
            word.raw = format!("{home}{rest}");
            changed = true;
        }
    }
    changed.then(|| joined(&words))
}

/// Writes paths that begin where the line runs as absolute ones.
fn relative(line: &Line<'_>, dice: &mut Dice, folder: &str) -> Option<String> {
    if !takes_files(line) || folder.is_empty() || folder.contains(' ') {
        return None;
    }
    let mut words = line.program()?.to_vec();
    // A link keeps the text it is given, which counts from where the link lies.
    if words.first()?.bare() == Some("ln") {
        return None;
    }
    let mut changed = false;
    for word in words.iter_mut().skip(2) {
        let fits = |it: &&str| {
            it.starts_with("./")
                || it.starts_with("../")
                || it.contains('/') && !it.starts_with(['/', '-'])
        };
        let Some(value) = word.bare().filter(fits) else {
            continue;
        };
        word.raw = match folder.starts_with('$') && dice.chance(60) {
            true => format!("\"{folder}/{value}\""),
            false => format!("{folder}/{value}"),
        };
        changed = true;
    }
    changed.then(|| joined(&words))
}

/// The system's own link to the working folder; what goes from folder to folder finds another one there.
fn by_the_system(line: &Line<'_>, dice: &mut Dice) -> Option<String> {
    let stays = line.program()?.first()?.bare()? != "mkdir";
    relative(line, dice, "/proc/self/cwd").filter(|_| stays)
}

/// Goes to the folder of the only operand, and names it from there.
fn there_first(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    if !takes_files(line) {
        return None;
    }
    let mut words = line.program()?.to_vec();
    let operands: Vec<usize> = (1..words.len())
        .filter(|at| words.get(*at).is_some_and(|it| !it.raw.starts_with('-')))
        .collect();
    let [at] = operands.as_slice() else {
        return None;
    };
    let word = words.get_mut(*at)?;
    let known = |it: &str| {
        it.strip_prefix("~/")
            .or_else(|| it.strip_prefix('/'))
            .is_some_and(is_bare)
    };
    let raw = word.raw.trim_end_matches('/').to_owned();
    let (folder, name) = raw.rsplit_once('/').filter(|_| known(&raw))?;
    if [".", ".."].contains(&name) {
        return None;
    }
    word.raw = format!("./{name}");
    let folder = if folder.is_empty() { "/" } else { folder };
    Some(format!("cd {folder} && {}", joined(&words)))
}

fn by_path(line: &Line<'_>, dice: &mut Dice) -> Option<String> {
    let mut words: Vec<Word> = line.program()?.to_vec();
    let first = words.first_mut()?;
    let name = first.bare().filter(|it| !it.contains('/'))?.to_owned();
    let folder = dice.pick(&[
        "/bin/",
        "/usr/bin/",
        "/usr/bin/../bin/",
        "/usr/./bin//",
        "/usr/local/bin/",
        "/sbin/",
    ])?;
    first.raw = match dice.chance(20) {
        true => single(&format!("{folder}{name}")),
        false => format!("{folder}{name}"),
    };
    Some(joined(&words))
}
