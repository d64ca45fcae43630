//! What a look at a whole tree costs: `git reset --hard` and `git clean` where there are many files.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{Place, Program};
use crate::{Outcome, dist, run};

/// The sizes, in files.
const SIZES: [usize; 2] = [10_000, 100_000];

/// A row of the second table.
pub struct Tree {
    /// How many files there are.
    pub files: usize,
    /// The command.
    pub command: &'static str,
    /// Beyond the same hook on a command that looks at no tree, in milliseconds: median and 95th of a hundred.
    pub millis: [f64; 2],
    /// What git itself takes to say what is changed, in milliseconds.
    pub git: f64,
    /// What a C program takes that only looks at each file, or lists each folder, in milliseconds.
    pub floor: f64,
}

/// A program that does nothing but look.
const LOOKS: &str = include_str!("looks.c");

/// Measures all sizes.
pub fn rows(belay: &Path, rounds: usize) -> Outcome<Vec<Tree>> {
    let mut rows = Vec::new();
    for files in SIZES {
        let place = grown(files)?;
        rows.extend(measured(belay, &place, rounds)?.map(|it| Tree { files, ..it }));
    }
    Ok(rows)
}

fn measured(belay: &Path, place: &Place, rounds: usize) -> Outcome<[Tree; 2]> {
    // What an earlier run kept would be counted through in each round.
    let _ = std::fs::remove_dir_all(place.home.join(".local"));
    let names = tracked(place)?;
    let looks = dist::small_c("looks-c", LOOKS)?.display().to_string();
    let belay = belay.display().to_string();
    let home = place.home.display().to_string();
    let hook = |name: &str, command: &str| -> Outcome<Program> {
        let input = place.home.join(format!("{name}.json"));
        let input = Place::written(&input, &place.shell(command))?;
        Ok(Program::new(name, &[&belay, "hook", "claude-code", "--home", &home]).reading(input))
    };
    let mut programs = [
        hook("reset", "git reset --hard")?,
        hook("clean", "git clean -fd")?,
        hook("plain", "git log --oneline -n 3")?,
        Program::new("git", &["git", "status", "--porcelain"]),
        Program::new("looks", &[&looks]).reading(names.clone()),
        Program::new("lists", &[&looks, "folders"]).reading(names),
    ];
    for round in 0..rounds + 2 {
        for it in &mut programs {
            let run = it.once(place)?;
            if round >= 2 {
                it.runs.extend(run);
            }
        }
    }
    let [reset, clean, plain, git, looks, lists] = &programs;
    let beyond = |it: &Program| {
        let base = plain.wall(0.5);
        [0.5, 0.95].map(|share| (it.wall(share) - base) / 1000.0)
    };
    let row = |command, it: &Program, floor: &Program| Tree {
        files: 0,
        command,
        millis: beyond(it),
        git: git.wall(0.5) / 1000.0,
        floor: floor.wall(0.5) / 1000.0,
    };
    Ok([
        row("git reset --hard", reset, looks),
        row("git clean -fd", clean, lists),
    ])
}

/// Writes the names of all tracked files into a file.
fn tracked(place: &Place) -> Outcome<PathBuf> {
    let path = place.home.join("tracked.txt");
    let fault = |why: std::io::Error| format!("cannot write `{}`: {why}", path.display());
    let mut git = Command::new("git");
    git.args(["ls-files"]).current_dir(&place.project);
    let listed = git.output().map_err(fault)?;
    std::fs::write(&path, listed.stdout).map_err(fault)?;
    Ok(path)
}

/// Grows a repository with so many tracked files, a hundred in a folder, and some that are changed, new or ignored.
fn grown(files: usize) -> Outcome<Place> {
    let root = run::target().join(format!("bench-tree-{files}"));
    let (home, project) = (root.join("home"), root.join("home/project"));
    if root.join("grown").exists() {
        return Ok(Place { home, project });
    }
    let place = Place::at(&root)?;
    let fault = |why: std::io::Error| format!("cannot grow `{}`: {why}", root.display());
    for at in 0..files {
        let folder = place
            .project
            .join(format!("part{}/room{}", at / 10_000, at / 100));
        if at % 100 == 0 {
            std::fs::create_dir_all(&folder).map_err(fault)?;
        }
        std::fs::write(folder.join(format!("file{at}.txt")), format!("line {at}\n"))
            .map_err(fault)?;
    }
    std::fs::write(place.project.join(".gitignore"), "*.log\n/target/\n").map_err(fault)?;
    place.git(&["add", "--all"])?;
    place.git(&["commit", "--quiet", "--message", "all"])?;
    std::fs::write(
        place.project.join("src/main.rs"),
        "fn main() { changed() }\n",
    )
    .map_err(fault)?;
    std::fs::write(place.project.join("new.txt"), "new\n").map_err(fault)?;
    std::fs::write(place.project.join("noise.log"), "ignored\n").map_err(fault)?;
    // Entries of the same moment as the index are not believed; one fresh index ends that.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    place.git(&["status", "--porcelain"])?;
    std::fs::write(root.join("grown"), "").map_err(fault)?;
    Ok(place)
}
