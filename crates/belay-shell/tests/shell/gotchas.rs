//! What bash does with the awkward lines, each checked by running it where bash is present.

use crate::{oracle, walk::Seen};
use belay_shell::{Dialect, TroubleKind, parse};

/// What happens to `PWN` in a line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// Bash runs it and the tree shows it as a command.
    Runs,
    /// Bash does not run it and the tree does not show it.
    Stays,
    /// Bash rejects the line, nothing runs, and the tree says so.
    Rejected,
    /// Bash runs it because of what a value or a builtin means; the tree shows the words, not the command.
    Meaning,
    /// Bash may run it, depending on options; the tree shows every reading and says so.
    Both,
    /// Bash does not run it, but only a run can tell what the command is; the tree shows an unknown name.
    Unknown,
    /// Bash runs it because an alias changed how the line is read; the tree says that it cannot know.
    Aliased,
}
use Fate::{Aliased, Both, Meaning, Rejected, Runs, Stays, Unknown};

const LINES: &[(u32, &str, Fate)] = &[
    (1, "PWN\n)", Runs),
    (2, "PWN; echo )", Rejected),
    (3, "PWN;\nif", Runs),
    (4, "PWN <<EOF", Runs),
    (4, ": <<EOF\nPWN", Stays),
    (5, "echo a # x\nPWN", Runs),
    (6, ": #\\\nPWN", Runs),
    (7, "a#; PWN", Runs),
    (8, "echo $#; PWN", Runs),
    (8, "echo ${#x}; PWN", Runs),
    (9, "echo '\\' ; PWN ; echo '\\'", Runs),
    (10, "echo $'\\'' ; PWN", Runs),
    (11, "echo \"$'\" ; PWN ; echo \"'\"", Runs),
    (12, "echo \"a $(echo \")\" ; PWN) b\"", Runs),
    (13, "P\\\nWN", Runs),
    (14, "PW\\N", Runs),
    (14, "P''WN", Runs),
    (14, "P\"W\"N", Runs),
    (14, "P$'W'N", Runs),
    (14, "P$\"W\"N", Runs),
    (14, "$'\\x50WN'", Runs),
    (15, "i\\\nf true; then PWN; fi", Runs),
    (15, "\\if true; PWN", Runs),
    (15, "\\if true; then PWN; fi", Rejected),
    (16, "{PWN,x}", Runs),
    (17, "{ PWN; }", Runs),
    (17, "{PWN;}", Rejected),
    (18, "echo {x ; PWN", Runs),
    (19, "echo }; PWN", Runs),
    (19, "echo ]] ; PWN", Runs),
    (19, "echo if; PWN", Runs),
    (20, "true !; PWN", Runs),
    (21, "!PWN", Stays),
    (21, "! PWN", Runs),
    (22, "PWN=1", Stays),
    (22, "PWN =1", Runs),
    (23, "a=b PWN", Runs),
    (23, "a=(1 2) PWN", Runs),
    (24, "a[$(PWN)]=1", Runs),
    (25, "PWN\u{a0}", Stays),
    (25, "PWN\u{2028}", Stays),
    (25, "\u{feff}PWN", Stays),
    (25, "PWN\u{b}", Stays),
    (25, "PWN\u{c}", Stays),
    (25, "PWN\r", Stays),
    (26, "PWN -rf 2>/dev/null /", Runs),
    (27, ">/dev/null PWN", Runs),
    (27, "<<<x PWN", Runs),
    (27, "{fd}>/dev/null PWN", Runs),
    (28, "echo 2>f; PWN", Runs),
    (28, "PWN a2>f", Runs),
    (28, "PWN 2 >f", Runs),
    (29, "PWN &>f", Runs),
    (29, "PWN >&f", Runs),
    (30, "PWN -a >> #{x}", Rejected),
    (31, "echo \"'$(PWN)'\"", Runs),
    (32, "echo ${x:-'$(PWN)'}", Stays),
    (33, "echo \"${x:-'$(PWN)'}\"", Runs),
    (34, "echo ${x:-`PWN`}", Runs),
    (34, "echo ${x:=$(PWN)}", Runs),
    (34, "x=a; echo ${x/$(PWN)/b}", Runs),
    (34, "x=a; echo ${x#$(PWN)}", Runs),
    (34, "x=a; echo ${x:$(PWN)}", Runs),
    (35, "echo ${a[$(PWN)]}", Runs),
    (36, "echo $((1+$(PWN)))", Runs),
    (36, "((x=$(PWN)))", Runs),
    (36, "echo $[ $(PWN) ]", Runs),
    (36, "for ((i=$(PWN);0;)); do :; done", Runs),
    (37, "x='a[$(PWN)]'; echo $((x))", Meaning),
    (37, "x='a[$(PWN)]'; [[ $x -eq 0 ]]", Meaning),
    (37, "test -v 'a[$(PWN)]'", Meaning),
    (37, "let 'a[$(PWN)]'", Meaning),
    (37, "printf -v 'a[$(PWN)]' x", Meaning),
    (37, "read 'a[$(PWN)]' <<<x", Meaning),
    (37, "declare -i 'x=a[$(PWN)]'", Meaning),
    (37, "declare -n r='a[$(PWN)]'; echo $r", Meaning),
    (37, "[[ -v 'a[$(PWN)]' ]]", Runs),
    (37, "[[ 'a[$(PWN)]' -eq 0 ]]", Runs),
    (38, "x='$(PWN)'; echo ${x@P}", Meaning),
    (38, "x='$(PWN)'; echo $x", Stays),
    (39, "x='a;PWN'; eval $x", Meaning),
    (39, "x='a;PWN'; $x", Unknown),
    (40, "IFS=x; a=PWNx; $a", Runs),
    (41, "$(echo PWN)", Runs),
    (41, "$(echo 'a;PWN')", Unknown),
    (42, "echo `echo \\`PWN\\``", Runs),
    (43, "echo \"`echo \\\"a\\\"; PWN`\"", Runs),
    (44, "echo $\"a$(PWN)\"", Runs),
    (45, "echo {a,$(PWN)}", Runs),
    (46, "( (PWN))", Runs),
    (46, "((PWN) )", Runs),
    (46, "((PWN))", Stays),
    (47, "echo $((PWN) )", Runs),
    (48, "echo $(case x in x) PWN;; esac)", Runs),
    (49, "echo $(# c )\nPWN)", Runs),
    (50, "echo $(: <<E\n)\nE\nPWN)", Runs),
    (51, "echo <(PWN)", Runs),
    (51, ": < <(PWN)", Runs),
    (51, "echo >(PWN)", Runs),
    (52, "[[ $(PWN) ]]", Runs),
    (52, "[[ a =~ $(PWN) ]]", Runs),
    (52, "[[ -v a[$(PWN)] ]]", Runs),
    (52, "case $(PWN) in x) ;; esac", Runs),
    (52, "case x in $(PWN)) ;; esac", Runs),
    (53, "[[ a =~ (b|c) ]] || PWN", Runs),
    (54, "[[ a<b ]]; PWN", Runs),
    (54, "[ a<b ] || PWN", Runs),
    (55, "!(PWN)", Both),
    (56, ": <<E\n'$(PWN)'\nE", Runs),
    (56, ": <<'E'\n$(PWN)\nE", Stays),
    (56, ": <<\\E\n$(PWN)\nE", Stays),
    (56, ": <<\"E\"\n$(PWN)\nE", Stays),
    (56, ": <<E\"\"\n$(PWN)\nE", Stays),
    (57, ": <<E; PWN\nE", Runs),
    (57, ": <<E | PWN\nE", Runs),
    (57, ": <<E && PWN\nE", Runs),
    (58, ": <<A <<B\nA\nB\nPWN", Runs),
    (59, ": <<-E\n\tE\nPWN", Runs),
    (59, ": <<-E\n E\nPWN", Stays),
    (59, ": <<E\nE \nPWN", Stays),
    (60, ": <<E\nx\\\nE\nPWN", Stays),
    (61, ": <<\"\"\n\nPWN", Runs),
    (62, ": <<E\\\nOF\nEOF\nPWN", Runs),
    (62, ": <<$'E'\nE\nPWN", Runs),
    (62, ": <<$(x)\n$(x)\nPWN", Runs),
    (63, ": <<EOF\r\nx\r\nEOF\r\nPWN", Runs),
    (63, ": <<EOF\nx\r\nEOF\r\nPWN", Stays),
    (64, ". /dev/stdin <<<PWN", Meaning),
    (64, "source <(echo PWN)", Meaning),
    (65, "time PWN", Runs),
    (65, "time -p PWN", Runs),
    (65, "! time PWN", Runs),
    (65, "coproc PWN", Runs),
    (65, "coproc X { PWN; }", Runs),
    (65, "\\time PWN", Stays),
    (65, "coproc name PWN", Stays),
    (66, "echo() { PWN; }; echo x", Runs),
    (66, "cd() { PWN; }; cd /", Runs),
    (66, "function [ { PWN; }; [ a ]", Runs),
    (67, "ls() { PWN; }; 'ls'", Runs),
    (68, "alias q=PWN; q", Stays),
    (68, "shopt -s expand_aliases; alias q=PWN\nq", Meaning),
    (69, "command eval PWN", Meaning),
    (69, "builtin eval PWN", Meaning),
    (69, "eval PWN", Meaning),
    (69, "command -v PWN", Stays),
    (69, "type PWN", Stays),
    (69, "hash PWN", Stays),
    (70, "set -- PWN; \"$@\"", Runs),
    (71, "trap PWN EXIT", Meaning),
    (71, "trap PWN DEBUG; :", Meaning),
    (71, "trap PWN ERR; false", Meaning),
    (72, "PS4='$(PWN)'; set -x; :", Meaning),
    (73, "mapfile -C PWN -c 1 x <<<a", Meaning),
    (73, "compgen -C PWN", Meaning),
    (74, "for i in 1; { PWN; }", Runs),
    (75, "f() if :; then PWN; fi; f", Runs),
    (76, "case x in (x) : ;& y) PWN; esac", Runs),
    (76, "case x in x) : ;;& x) PWN; esac", Runs),
    (77, "select x in 1; do PWN; done <<<1", Runs),
    (77, "until PWN; do :; done", Runs),
    (77, "while PWN; do break; done", Runs),
    (77, "if PWN; then :; fi", Runs),
    (78, "echo a&PWN", Runs),
    (78, "echo a|&PWN", Runs),
    (78, "PWN http://h/?a=b&c=d", Runs),
    (79, "x=$(PWN)", Runs),
    (79, "export x=$(PWN)", Runs),
    (79, "declare -a x=($(PWN))", Runs),
    (79, "x=([$(PWN)]=1)", Runs),
    (80, "echo x > $(PWN; echo f)", Runs),
    (80, "{ : 3<>/dev/tcp/127.0.0.1/1; } || PWN", Runs),
    (
        81,
        "shopt -s expand_aliases; alias q=\"echo '\"\nq '; PWN; : ''",
        Aliased,
    ),
];

#[test]
fn every_line_of_the_list_has_a_row() {
    for number in 1..=81 {
        assert!(LINES.iter().any(|&(it, _, _)| it == number), "{number}");
    }
    assert!(LINES.is_sorted_by_key(|&(number, _, _)| number));
    println!("{} rows for 81 lines", LINES.len());
}

#[test]
fn the_tree_agrees_with_the_table() {
    for &(number, text, fate) in LINES {
        let tree = parse(text.as_bytes(), Dialect::Bash);
        let runs = Seen::of(&tree).runs("PWN");
        let rejected = tree
            .troubles()
            .iter()
            .any(|trouble| trouble.kind == TroubleKind::Syntax);
        match fate {
            Runs | Both | Unknown => assert!(runs, "{number}: {text:?} runs PWN: {tree:#?}"),
            Stays | Meaning | Aliased => {
                assert!(!runs, "{number}: {text:?} does not run PWN: {tree:#?}")
            }
            Rejected => assert!(
                !runs && rejected,
                "{number}: {text:?} is rejected: {tree:#?}"
            ),
        }
        if matches!(fate, Both | Aliased) {
            assert!(
                tree.troubles()
                    .iter()
                    .any(|trouble| trouble.kind == TroubleKind::Ambiguous),
                "{text:?}"
            );
        }
    }
}

#[test]
fn bash_agrees_with_the_table() {
    let Some(bash) = oracle::bash() else { return };
    for &(number, text, fate) in LINES {
        let expected = matches!(fate, Runs | Meaning | Both | Aliased);
        let runs = if expected {
            oracle::runs_at_last
        } else {
            oracle::runs
        };
        assert_eq!(
            runs(&bash, text.as_bytes()),
            expected,
            "{number}: {text:?} {fate:?}"
        );
    }
}
