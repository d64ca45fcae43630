//! What may stand around and beside a line: lists, groups, conditions, loops, functions, pipes, redirections.

use belay_oracle::dice::Dice;

use super::Form::{Around, Free, Quoted};
use super::{Needs, Spelling, deaf, mute, spelling, transparent};
use crate::line::{Line, ending, joined, single};

#[rustfmt::skip]
pub const ALL: [Spelling; 61] = [
    transparent("after true", Needs::Nothing, Free(|line, dice| Some(format!("true && {}", grouped(line, dice))))),
    spelling("after false", Needs::Nothing, Free(|line, dice| Some(format!("false || {}", grouped(line, dice))))),
    transparent("after a colon", Needs::Nothing, Free(|line, _| Some(format!(": ; {}", line.text)))),
    spelling("after a line", Needs::Nothing, Free(|line, _| Some(format!("\n\ntrue\n{}", line.text)))),
    transparent("before true", Needs::Nothing, Around("", "true")),
    spelling("or true", Needs::Nothing, Free(|line, dice| Some(format!("{} || true", grouped(line, dice))))),
    transparent("group", Needs::Nothing, Around("{ ", "}")),
    spelling("subshell", Needs::Child, Around("( ", ")")),
    spelling("nested subshells", Needs::Child, Around("( ( ", ") )")),
    spelling("negated", Needs::Nothing, Around("! { ", "}")),
    spelling("timed group", Needs::Nothing, Around("time { ", "}")),
    spelling("if true", Needs::Nothing, Around("if true; then ", "fi")),
    spelling("if itself", Needs::Nothing, Around("if ", "then :; fi")),
    spelling("if false", Needs::Nothing, Around("if false; then :; else ", "fi")),
    spelling("if any", Needs::Nothing, Around("if [ -d /tmp ]; then ", "fi")),
    spelling("for", Needs::Nothing, Around("for i in 1; do ", "done")),
    spelling("arithmetic for", Needs::Nothing, Around("for ((i = 0; i < 1; i++)); do ", "done")),
    spelling("while true", Needs::Nothing, Around("while true; do ", "break; done")),
    spelling("while itself", Needs::Nothing, Around("while ", "do break; done")),
    spelling("until false", Needs::Nothing, Around("until false; do ", "break; done")),
    deaf("while read", Needs::Nothing, Around("echo 1 | while read -r i; do ", "done")),
    spelling("case", Needs::Nothing, Around("case a in a) ", ";; esac")),
    spelling("case of any", Needs::Nothing, Around("case $RANDOM in *) ", ";; esac")),
    spelling("function", Needs::Child, Around("f() { ", "}; f")),
    spelling("function by keyword", Needs::Child, Around("function f { ", "}; f")),
    spelling("function of a subshell", Needs::Child, Around("f() ( ", "); f")),
    spelling("function of its words", Needs::Words, Free(|line, _| Some(format!("f() {{ \"$@\"; }}; f {}", joined(program(line)?))))),
    spelling("exported function", Needs::Child, Around("f() { ", "}; export -f f; bash -c f")),
    spelling("alias", Needs::Nothing, Free(|line, _| Some(format!("shopt -s expand_aliases; alias q={}; eval q", single(line.text))))),
    spelling("alias in a shell", Needs::Child, Free(|line, _| Some(format!("bash -O expand_aliases -c {}", single(&format!("alias q={}\nq", single(line.text))))))),
    spelling("trap at the end", Needs::Child, Quoted("trap ", " EXIT")),
    deaf("background", Needs::Child, Free(|line, _| Some(format!("{{ {}\n}} & wait", line.text)))),
    deaf("coproc", Needs::Child, Around("coproc { ", "}; wait")),
    mute("substitution", Needs::Child, Around(": \"$( ", ")\"")),
    spelling("printed substitution", Needs::Child, Around("echo \"$( ", ")\"")),
    mute("assigned substitution", Needs::Child, Around("x=$( ", ")")),
    spelling("substitution in a here-document", Needs::Child, Free(|line, _| Some(format!("cat <<{0}\n$( {1}\n)\n{0}", ending(line), line.text)))),
    mute("tested substitution", Needs::Child, Around("[[ -n $( ", ") ]]")),
    mute("default substitution", Needs::Child, Around(": \"${BELAY_UNSET:-$( ", ")}\"")),
    mute("arithmetic substitution", Needs::Child, Around(": $(( $( ", "echo 1) ))")),
    spelling("process read", Needs::Child, Around("cat <( ", ")")),
    mute("process written", Needs::Child, Around("echo > >( ", "); wait $!")),
    transparent("into cat", Needs::Child, Free(|line, dice| Some(format!("{} | cat", grouped(line, dice))))),
    transparent("into head", Needs::Child, Free(|line, dice| Some(format!("{} | head -n 40", grouped(line, dice))))),
    transparent("errors joined", Needs::Nothing, Free(|line, dice| Some(format!("{} 2>&1", grouped(line, dice))))),
    transparent("errors dropped", Needs::Nothing, Free(|line, dice| Some(format!("{} 2>/dev/null", grouped(line, dice))))),
    spelling("redirection before", Needs::Program, Free(|line, dice| Some(format!("{}{}", dice.pick(&["2>/dev/null ", "2>&1 ", "3>&1 "])?, line.text)))),
    spelling("redirection inside", Needs::Program, Free(inside)),
    deaf("pipe behind true", Needs::Child, Free(|line, dice| Some(format!("true | {}", grouped(line, dice))))),
    spelling("descriptor closed", Needs::Words, Free(|line, _| Some(format!("{} 9>&-", line.text)))),
    spelling("and true", Needs::Nothing, Free(|line, dice| Some(format!("{} && true", grouped(line, dice))))),
    spelling("until itself", Needs::Nothing, Around("until ", "do break; done")),
    spelling("both outputs into cat", Needs::Child, Free(|line, dice| Some(format!("{} |& cat", grouped(line, dice))))),
    spelling("substitution in a here-string", Needs::Child, Around("cat <<< \"$( ", ")\"")),
    mute("array of a substitution", Needs::Child, Around("a=($( ", "))")),
    mute("for over a substitution", Needs::Child, Around("for i in $( ", "); do :; done")),
    mute("case of a substitution", Needs::Child, Around("case $( ", ") in *) ;; esac")),
    mute("substitution before a command", Needs::Child, Around("x=$( ", ") true")),
    mute("subscript", Needs::Child, Around(": ${a[$( { ", "} > /dev/null; echo 0)]}")),
    mute("expanded prompt", Needs::Child, Free(|line, _| Some(format!("x={}; : \"${{x@P}}\"", single(&format!("$( {}\n)", line.text)))))),
    spelling("trap on an error", Needs::Child, Quoted("trap ", " ERR; false")),
];

/// The line as one command that something may follow.
fn grouped(line: &Line<'_>, dice: &mut Dice) -> String {
    match (&line.words, line.ends()) {
        (Some(_), _) if dice.chance(80) && !line.text.starts_with('!') => line.text.to_owned(),
        (_, true) => format!("{{ {}; }}", line.text),
        (_, false) => format!("{{ {}\n}}", line.text),
    }
}

fn program<'a>(line: &'a Line<'_>) -> Option<&'a [crate::line::Word]> {
    line.program()
}

/// A redirection between the words.
fn inside(line: &Line<'_>, dice: &mut Dice) -> Option<String> {
    let words = line.program()?;
    let at = usize::try_from(1 + dice.below(words.len() as u64)).ok()?;
    let (before, after) = words.split_at_checked(at.min(words.len()))?;
    let redirection = dice.pick(&["2>/dev/null", "2>&1", "4>&2"])?;
    Some(format!(
        "{} {redirection} {}",
        joined(before),
        joined(after)
    ))
}
