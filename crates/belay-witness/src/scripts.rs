//! Programs of awk and sed, made by chance: what they write, read and run must have been said before.

use belay_oracle::dice::Dice;

use crate::lines::Line;

/// Patterns before the actions of awk; `§` becomes an action.
const AWK: [&str; 8] = [
    "{ § }",
    "BEGIN { § }",
    "END { § }",
    "NR==1 { §; § }",
    "/a/ { § } { § }",
    "BEGIN { x = \"a\"; § } { § }",
    "function f(y) { § } BEGIN { f(1) }",
    "{ if (NR < 3) § ; else { § } }",
];

const ACTIONS: [&str; 36] = [
    "print",
    "print $1",
    "print > \"made\"",
    "print >> \"a.txt\"",
    "print > x",
    "print > \"/tmp/\" \"made\"",
    "print > (\"ma\" \"de\")",
    "print(1)>\"made\"",
    "printf \"%s\", $1 > \"/home/dev/made\"",
    "printf(\"x\") >> \"a.md\"",
    "print | \"cat\"",
    "print | \"touch made\"",
    "print | (\"tou\" \"ch made\")",
    "\"touch made\" | getline",
    "\"date\" | getline y",
    "while ((\"touch made\" | getline y) > 0) print y",
    "getline",
    "getline y < \"a.md\"",
    "getline < \"/home/dev/.netrc\"",
    "while ((getline y < \"a.json\") > 0) print y",
    "getline y < (\"/home/dev/\" \".netrc\")",
    "system(\"touch made\")",
    "system(\"tou\" \"ch made\")",
    "system(x)",
    "x = \"touch made\"; system(x)",
    "print length($0) / 2",
    "gsub(/a/, \"b\"); print",
    "gsub(/[/\"]/, \"\"); print",
    "y = split($0, z, /,/); print y",
    "print substr($0, 1, 3) \" > made\"",
    "print \"a\" > \"/dev/stderr\"",
    "print \"\\\"\" > \"made\"",
    "print 1 > 2 ? \"made\" : \"x\"",
    "n++ ; print n",
    "close(\"made\")",
    "print \"x\" > \"b\" \"c\"",
];

const SED: [&str; 8] = [
    "§",
    "§;§",
    "1§",
    "$!§",
    "/a/§",
    "/a/,/b/{ § }",
    "2{§\n}",
    "1~2§",
];

const COMMANDS: [&str; 34] = [
    "p",
    "d",
    "s/a/b/",
    "s/a/b/g",
    "s/a/b/w made",
    "s/a/b/w made;p",
    "s|a|w made|",
    "s/a/touch made/e",
    "s,a,b,2pw made",
    "w made",
    "w /home/dev/made",
    "w /dev/stdout",
    "W made",
    "r a.md",
    "r /home/dev/.netrc",
    "R a.md",
    "e touch made",
    "e",
    "y/abc/xyz/",
    "y/[/x/",
    "y/;/e/",
    "y/a\\/b/x\\/y/",
    "a\\\nw made",
    "a w made",
    "i e touch made",
    "c\\\nx",
    "b x;:x",
    ":a;N;$!ba;s/\\n/ /g",
    "t;e touch made",
    "s/[/]/x/w made",
    "s/a\\/b/c/w made",
    "s/a/b\\\n/w made",
    "n;d",
    "=",
];

/// Makes so many programs by chance.
#[must_use]
pub fn made(count: usize, seed: u64) -> Vec<Line> {
    (0..count)
        .map(|at| {
            let mut dice = Dice::part(seed, at as u64 + 1);
            if dice.chance(50) {
                awk(&mut dice)
            } else {
                sed(&mut dice)
            }
        })
        .collect()
}

fn awk(dice: &mut Dice) -> Line {
    let program = filled(&AWK, &ACTIONS, dice);
    let flags = ["", "", "-F, ", "-v x=made ", "-v 'x=touch made' "];
    let flags = dice.pick(&flags).copied().unwrap_or_default();
    let operands = ["a.txt", "a.txt a.csv", "x=made a.txt", "< a.txt"];
    let operands = dice.pick(&operands).copied().unwrap_or_default();
    line("awk", &format!("awk {flags}'{program}' {operands}"))
}

fn sed(dice: &mut Dice) -> Line {
    let program = filled(&SED, &COMMANDS, dice);
    let flags = ["", "-n ", "-E ", "-s ", "-z ", "-i ", "-i.bak "];
    let flags = dice.pick(&flags).copied().unwrap_or_default();
    if dice.chance(20) {
        let second = dice.pick(&COMMANDS).copied().unwrap_or_default();
        return line(
            "sed",
            &format!("sed {flags}-e '{program}' -e '{second}' a.txt"),
        );
    }
    line("sed", &format!("sed {flags}'{program}' a.txt"))
}

fn filled(frames: &[&str], pieces: &[&str], dice: &mut Dice) -> String {
    let mut text = dice.pick(frames).copied().unwrap_or_default().to_owned();
    while let Some(at) = text.find('§') {
        let piece = dice.pick(pieces).copied().unwrap_or_default();
        text.replace_range(at..at + '§'.len_utf8(), piece);
    }
    text
}

fn line(program: &str, text: &str) -> Line {
    Line {
        text: text.to_owned(),
        program: program.to_owned(),
        example: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_programs() {
        assert_eq!(made(50, 3), made(50, 3));
        assert_ne!(made(50, 3), made(50, 4));
        let whole = |it: &Line| !it.text.contains('§') && it.text.starts_with(&it.program);
        assert!(made(500, 1).iter().all(whole));
    }
}
