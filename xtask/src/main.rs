//! House chores. `cargo xtask` lists them.
//!
//! INVARIANT: nothing here is linked into `belay`; it only builds, measures and inspects the house.

mod anywhere;
mod attack;
mod bench;
mod catalogue;
mod ci;
mod coverage;
mod cross;
mod demo;
mod deny;
mod dist;
mod docs;
mod faults;
mod figures;
mod fleet;
mod fuzz;
mod judge;
mod knowledge;
mod metadata;
mod mutants;
mod package;
mod page;
mod picture;
mod readmes;
mod release;
mod run;
mod score;
mod sessions;
mod sound;
mod states;
mod threats;
mod tidy;
mod witness;
mod witness_python;

use std::process::ExitCode;

/// What went wrong, for a person.
pub type Outcome<T = ()> = Result<T, String>;

const USAGE: &str = "usage: cargo xtask CHORE

  ci      everything that must hold, in a copy of the tree below the folder for temporary files, with a table at the end;
          `--long` adds what takes long, `--here` stays in this folder, `--skip STEP-OR-NEED` and `--only STEP` are counted
  demo    what the program says to some commands, in a project made for it
  tidy    the conventions of the house: dependency direction, lengths, names, purity, files of knowledge, and no fact about a
          command in Rust
  names   where a command's name stands as a whole text in Rust, and how often
  deny    licences, banned crates and package counts, from `cargo metadata` alone
  docs    check the generated references and the pictures of a run; `docs --write` writes them
  dist    the static binary, into target/dist/belay; `dist --order` measures which of its functions lie side by side
  package     every package (crates, npm, wheel, Debian, archive, formula, bill of materials) into target/packages, each installed from
              its file and run; `--long` builds the crates as packed, and the binary twice; `--binary PATH` packs one that is there
  cross   the binaries of the other platforms, linked by zig; the one for Linux on aarch64 is run under qemu; `--quick` builds in parts
  release `release VERSION` moves version and changelog, commits and tags; `--dry-run` only shows it
  faults  accidents by chance: the built hook under SIGKILL, full disks, tiny limits and broken files must never read as allow;
          `--trials N`, `--seed S`, `--only TEXT`, `--crowd N`, `--long`, `--write`
  fleet   a fleet in miniature: shippers, receiver and PostgreSQL under `kill -9`; every record must arrive once; `--machines N`,
          `--records N`, `--seed S`, `--long`
  fuzz    a minute of libFuzzer over the shell reader; CI takes some seconds of it; `--long` adds a minute for every other room that
          reads what others wrote. CI tries changed texts on those without libFuzzer: `cargo test -p belay-cli --test mutated`
  agents      the matrix of agents and cases, measured with the real clients; `agents --write` writes what the tests insist on
  coverage    which share of what agents really run is known, command and flags; fails below 97 %
  sound   random programs, run by real shells: all they did must have been said; `--programs N`, `--seed S`, `--only I`, `--workers N`,
          `--shell bash|sh|zsh`, `--long`, `--shrink`; `--testimony FILE` keeps what they did, `--judge FILE` judges that again without
          the shells
  attack  hostile spellings of every example, made by chance: none may be judged milder than the plain form, none of the transparent
          ones stricter; `--variants N`, `--seed S`, `--only SPELLING`, `--line TEXT`, `--long`, `--table`
  witness every example whose program is there, and uses of each flag made by chance, run under strace without a network: all that
          allowed lines did must have been said; `--lines N`, `--seed S`, `--only PROGRAM`, `--line TEXT`, `--seconds S`, `--friction`
  witness python  random and written programs, run by Python under an audit hook: all they did must have been said; `--seed S`
  page    the page in a real browser, the types of its script, the recipes of the guide; `--long` adds five minutes of calls and a
          million records
  sessions    written sessions, played through the hook with a person who answers: what they are asked per 100 calls and per session
  scoreboard  the labelled calls, judged; writes docs/scoreboard.md and fails when they fare worse than corpus/figures.toml says
  mutants     each rule removed or lowered, each file of knowledge and each of its lines emptied, in memory: must fail an example or
              a labelled call; fails when fewer do than corpus/figures.toml says
  figures     `figures --write` measures anew what must not get worse, on purpose
  bench   the hook of the dist binary beside an empty C program, an empty Rust one, /bin/true, bash and other gates
          (`scripts/install-peers`), and whole trees; `--check` fails past the budget, `--write` writes docs/design/speed.md, `--long`
          takes some minutes; `BELAY_DIST=PATH` measures a binary that is built already
";

/// A minute of fuzzing for each target.
fn a_minute() -> fuzz::Run {
    fuzz::Run {
        seconds: 60,
        seed: ci::seed(),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["ci", words @ ..] => ci::run(words),
        ["demo"] => demo::run(),
        ["tidy"] => tidy::run(),
        ["names"] => tidy::names(),
        ["deny"] => deny::run(),
        ["docs"] => docs::run(docs::Job::Check),
        ["docs", "--write"] => docs::run(docs::Job::Write),
        ["dist"] => dist::run().map(|path| println!("{}", path.display())),
        ["dist", "--order"] => dist::write_order(),
        ["faults", words @ ..] => faults::run(words),
        ["fleet", words @ ..] => fleet::run(words),
        ["fuzz"] => fuzz::run(fuzz::Reach::Reader, a_minute()),
        ["fuzz", "--long"] => fuzz::run(fuzz::Reach::Everything, a_minute()),
        ["agents"] => score::agents(score::Matrix::Measured),
        ["agents", "--write"] => score::agents(score::Matrix::Written),
        ["coverage"] => coverage::run(),
        ["scoreboard"] => score::scoreboard(),
        ["sound", words @ ..] => sound::run(words),
        ["attack", words @ ..] => attack::run(words),
        ["mutants"] => mutants::run(),
        ["witness", words @ ..] if words.first() != Some(&"python") => witness::run(words),
        ["witness", "python"] => witness_python::run(None),
        ["witness", "python", "--seed", seed] => witness_python::run(seed.parse().ok()),
        ["package", words @ ..] => package::run(words),
        ["release", version] => release::run(version, release::Job::Write),
        ["release", version, "--dry-run"] => release::run(version, release::Job::DryRun),
        ["cross"] => cross::run(cross::Care::Shipped),
        ["cross", "--quick"] => cross::run(cross::Care::Quick),
        ["page"] => page::run(page::Length::Short),
        ["page", "--long"] => page::run(page::Length::Long),
        ["sessions"] => sessions::run(sessions::Job::Print),
        ["sessions", name] => sessions::run_only(name),
        ["figures", "--write"] => figures::write(),
        ["bench", words @ ..] => bench::read(words),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // CI has said everything by then, and its last line is its last.
            if !why.is_empty() {
                eprintln!("{}", why.trim_end());
            }
            ExitCode::FAILURE
        }
    }
}
