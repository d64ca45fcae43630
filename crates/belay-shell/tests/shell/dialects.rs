//! What dash and zsh run must be in the tree of their dialect, or the tree must say that it may not be.

use crate::corners::{combinations, corners, damaged, fill, rounds};
use crate::oracle::{self, Folder};
use crate::walk::Seen;
use belay_needs::{Need, program};
use belay_shell::{Dialect, parse};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// What only other shells than bash read this way; `@` stands for a command.
const SH: &[&str] = &[
    ": $'a\\'; @; : '",
    ": $'\\'; @; : $'\\'",
    ": &>o; @",
    "@ &>o",
    ": &>>o @",
    "((@))",
    "(( @ ))",
    "((@) && (@))",
    "((:);@)",
    "f() @; f",
    "f() @ >o; f",
    "function f\n{ @; }",
    "[[ a < o ]]; @",
    ": <<`x\n`x\n@",
    "[[ a && @ ]]",
    "[[ a || @ ]]",
    "[[ a ]] | @",
    "[[ a\n@\n]]",
    "[[ ( a ) ]]\n@",
    "alias q=@\nq",
    "alias q='@ #'; alias r=q\nr x",
    "x=a; : ${x#$(@)}",
    ": ${#x}; @",
    "x+=1 @; @",
    ": <<E\n$(@)\nE",
    ": <<-E\n\t$(@)\n\tE\n@",
    ": <<'E'\n$(@\nE\n@",
    ": `: \\`@\\``",
    ": \"`: \\\"a\\\"; @`\"",
    "for i in 1; do @; done",
    "case x in x) @;; esac",
    "case x in (x) @;; esac",
    "case esac in (esac) @;; esac",
    "! @",
    "! ! @",
    "!(@)",
    "! (@)",
    "time @",
    "time -p @",
    "select i in 1; do @; done",
    "coproc @",
    ": {a,$(@)}",
    ": $[ $(@) ]",
    ": $((1+$(@)))",
    ": $((@) )",
    ": ${x:-\"$(@)\"}",
    ": \"${x:-'$(@)'}\"",
    ": \"${x:-'}'$(@)}\"",
    ": ${x:-'}'}; @",
    "eval : ; @",
    ". ./nothing || @",
    "x=1 :; @",
    "command : ; @",
    "until @; do break; done",
    "if ! @; then :; fi",
    "{ @; } 2>&1 | :",
    "@ 2>&1 >o",
    "10>o @",
    ": 10>o; @",
    "2>o >p @",
    ": \"a\"#b; @",
    "echo a#; @",
    "\\\n@",
    ": \\\n; @",
    "@\r",
    "f () (@); f",
    "f()\n\n{ @; }\nf",
    "a() b() { @; }; a; b",
    ": <<E; @\n\\E\nE",
    ": <<E\n\\\nE\n@\nE",
];

/// What only zsh reads this way.
const ZSH: &[&str] = &[
    "=@",
    "=@ a",
    ": =(@)",
    ": =(@)a",
    "x==(@)",
    "@ >! o",
    ": >!o; @",
    ">! o @",
    ">>! o @",
    ">| o @",
    "@ &!",
    "@ &|",
    ": &! @",
    ": &| @",
    ": *(e:@:)",
    ": *(e:'@':N)",
    ": *(Ne['@'])",
    ": .(+@)",
    "{ @ } always { : }",
    "{ : } always { @ }",
    "{@}",
    "{@ }",
    "! {@ }",
    ": | {@ }",
    "{! @; [}",
    "x=(1 2)@",
    "coproc time @",
    ": | time @",
    "{ @ }",
    "repeat 1 @",
    "repeat 1; do @; done",
    "repeat 1 { @ }",
    "for i (1) @",
    "for i (1) { @ }",
    "for i in 1; @",
    "for i j in 1 2; do @; done",
    "for ((i=0;i<1;i++)) @",
    "foreach i (1); @; end",
    "foreach i (1)\n@\nend",
    "if (true) @",
    "if [[ 1 ]] @",
    "if true { @ }",
    "if true { : } elif true { @ }",
    "if false { : } else { @ }",
    "if [[ 1 == 2 ]] { : } else { @ }",
    "while true { @; break }",
    "until false { @; break }",
    "while [[ 1 ]] { @; break }",
    "case x { x) @ ;; }",
    "case x in x) : ;| x) @ ;; esac",
    "case x in (x|y) @ ;; esac",
    "case x in x|y) @ ;; esac",
    "noglob @",
    "nocorrect @",
    "- @",
    "builtin : ; @",
    "() { @ }",
    "() { @ } a b",
    "function { @ }",
    "function { @; } a",
    "function f g { @ }; g",
    "f g() { @ }; g",
    "f() @; f",
    "f() @ a; f",
    "function f() @; f",
    ": ${(e):-'$(@)'}",
    "x='$(@)'; : ${(e)x}",
    ": ${x::=$(@)}",
    ": $x[$(@)]",
    ": ${x[$(@)]}",
    ": ${$(@)}",
    ": ${${$(@)}#a}",
    ": ${(f)$(@)}",
    ": \"${(f)$(@)}\"",
    ": ${(s:$(@):)x}",
    ": $=x; @",
    ": $~x; @",
    ": ${=x}; @",
    ": ${^x}; @",
    ": ${+x}; @",
    ": $+x; @",
    ": $#x; @",
    ": $#; @",
    ": ${#x}; @",
    ": ${x:h}; @",
    ": $x:h; @",
    ": ~[a]; @",
    ": <->; @",
    ": <1-2>; @",
    ": a<1-2>b; @",
    ": ^a; @",
    ": a~b; @",
    ": (a|b); @",
    ": a(b|c)d; @",
    ": (#i)a; @",
    ": **/; @",
    ": {a..c}; @",
    ": {1..3}; @",
    "@ > o > p",
    ": < o < p; @",
    "@ |& :",
    "@ 2>&1 | :",
    ": >& o; @",
    "< o; @",
    "> o; @",
    ": $(< o); @",
    "setopt ignorebraces; { @; }",
    "setopt interactivecomments; : # @\n@",
    "echo a # @",
    ": '''; @; : '''",
    "setopt rcquotes\n: 'a''b'; @",
    "setopt rcquotes\n: '''; @; '",
    "alias q=@\nq",
    "alias -g Q='; @'\n: Q",
    "alias -s txt=@\na.txt",
    "alias q='@;'; eval q",
    "!@",
    "! @",
    "let x=1; @",
    "[[ a =~ b ]] || @",
    "[[ a == (a|b) ]] && @",
    "[[ a = a&&b = b ]] && @",
    "[[ -n $(@) ]]",
    "(( $(@) 1 ))",
    ": $(( $(@) ))",
    ": $[ $(@) ]",
    "x=(1 $(@))",
    "x[1]=$(@)",
    "x[$(@)]=1",
    "typeset -A h; h[$(@)]=1",
    "typeset x=$(@)",
    "typeset -a x=($(@))",
    "set -A x $(@)",
    "time @",
    "time (@)",
    "coproc @",
    "coproc { @ }",
    "select i in 1; do @; break; done <<<1",
    "select i (1) { @; break } <<<1",
    ": <<E\n$(@)\nE",
    ": <<E; @\nE",
    ": <<-E\n\t$(@)\n\tE",
    ": <<<$(@)",
    ": <(@)",
    ": >(@)",
    "@ > >(:)",
    "zmodload zsh/zpty; @",
    "emulate sh; @",
    "print -z a; @",
    "x=@; $x",
    "x='@ a'; $x",
    "x='@ a'; ${=x}",
    "x=@; $=x",
    "x=@; $~x",
    "x=@; $^x",
    "x=@; $=x a",
    "x=@; $==x",
    "x=@; ${~x}",
    "x=@; ${(P)x}",
    "x=@; ${(@)x}",
    "${:-@}",
    "$(echo @)",
    ". =(echo @)",
    ": ${x:-$(@)}",
    ": ${x-$(@)}",
    ": ${x/$(@)/a}",
    "x=a; : ${x/a/$(@)}",
    "x=a; : ${x//a/$(@)}",
    "x=a; : ${x:/a/$(@)}",
    "x=a; : ${x#$(@)}",
    "x=a; : ${x:$(@)0}",
    ": ${x:^y}; @",
    ": ${x:|y}; @",
    ": \"$x[$(@)]\"",
    ": \"$x[1,$(@)]\"",
    "if true; then @; fi",
    "if true\nthen @\nfi",
    "true && { @ }",
    "true && (@)",
    "(@)",
    "((@) )",
    "( (@) )",
    "((@))",
    "1>o @",
    "{fd}>o @",
    "@ {fd}>o",
    "a=1 b=2 @",
    "a+=1 @",
    "a=(1) @",
    "a=(1); @",
    "function f { @ } ; f",
    "function f() { @ }; f",
    "f () { @ }; f",
    "f()\n{ @ }\nf",
    "autoload x; @",
    "local x=$(@)",
    "export x=$(@)",
    "integer x=1; @",
    "while read x; do @; break; done <<<a",
    "echo }; @",
    "echo {; @",
    "{ :; } @",
    "{ : } @",
    "(:) @",
    "if true; then :; fi @",
    "{ : }; @",
    "{ : } && @",
    "{ : } | @",
    "for x in a; { @ }",
    "for x (a) { : } @",
    "for x (a) :; @",
    "[[ 1 ]] { @ }",
    "[[ 1 ]] @",
    "((1)) @",
    "((1)) { @ }",
    ": <<$\\\n'E'\nE\n@",
    "((: #'\n@);(: #'\n@))",
    "(\\\n( ( ( @ ) ) ))",
    ": \"${x:>(-'$(: ')'; @)'}\"",
    ": \"${x:-'$(: ')'; @)'}\"",
    ": \"${x:-<(: '$(: ')'; @)')}\"",
    "(((: #'\n@);(: #'\n@)))",
    "echo $((: #'\n@);(: #'\n@))",
];

struct Shell {
    path: PathBuf,
    dialect: Dialect,
    options: &'static [&'static str],
}

/// Finds a shell; `None` only when it is left out on purpose.
fn find(name: &str, dialect: Dialect, options: &'static [&'static str]) -> Option<Shell> {
    let found = Need::Shells.met(name, || program(name));
    found.map(|path| Shell {
        path,
        dialect,
        options,
    })
}

impl Shell {
    fn runs(&self, text: &str) -> bool {
        let folder = Folder::new();
        let marker = folder.0.join("ran");
        let program = folder.0.join("bin/PWN");
        std::fs::create_dir(folder.0.join("bin")).unwrap();
        let script = format!("#!/bin/sh\n: > '{}'\n", marker.display());
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let mut command = std::process::Command::new(&self.path);
        command
            .args(self.options)
            .args(["-c", text])
            .env_clear()
            .env("PATH", folder.0.join("bin"));
        oracle::finished(command, &folder, text.as_bytes());
        marker.exists()
    }

    fn nothing_is_lost(&self, texts: Vec<String>) {
        let count = texts.len();
        let unseen: Vec<String> = (texts.into_iter())
            .filter(|text| !Seen::of(&parse(text.as_bytes(), self.dialect)).runs("PWN"))
            .collect();
        let (first, second) = unseen.split_at(unseen.len() / 2);
        let lost: Vec<&String> = std::thread::scope(|scope| {
            let worker = scope.spawn(|| self.lost(first));
            let mut lost = self.lost(second);
            lost.extend(worker.join().unwrap());
            lost
        });
        let silent: Vec<&&String> = lost.iter().filter(|text| !self.troubled(text)).collect();
        println!(
            "{:?}: {count} scripts, {} not shown by the tree, {} of them run by {}, {} without a trouble",
            self.dialect,
            unseen.len(),
            lost.len(),
            self.path.display(),
            silent.len()
        );
        if !silent.is_empty() {
            println!("run, not in the tree, no trouble: {silent:#?}");
        }
        assert!(
            silent.len() <= owed(),
            "run, not in the tree, no trouble: {silent:#?}"
        );
    }

    fn lost<'t>(&self, texts: &'t [String]) -> Vec<&'t String> {
        texts.iter().filter(|text| self.runs(text)).collect()
    }

    fn troubled(&self, text: &str) -> bool {
        !parse(text.as_bytes(), self.dialect).troubles().is_empty()
    }
}

/// So many of the texts that a fresh seed makes may still be missed: about one in 30,000 was, when last counted, and a rate is not a
/// proof. They are printed, and each becomes a line above once it is mended. The usual texts, and every line above, owe nothing.
fn owed() -> usize {
    if std::env::var_os("BELAY_SEED").is_some() {
        1
    } else {
        0
    }
}

fn texts(special: &[&[&str]]) -> Vec<String> {
    let mut texts: Vec<String> = (special.iter().copied().flatten())
        .map(|text| fill(text, "PWN"))
        .collect();
    texts.extend(corners());
    texts.extend(combinations(rounds(600)));
    texts.extend(damaged(rounds(400)));
    texts
}

#[test]
fn what_dash_runs_is_in_the_tree_or_a_trouble() {
    if let Some(dash) = find("dash", Dialect::Sh, &[]) {
        dash.nothing_is_lost(texts(&[SH]));
    }
}

#[test]
fn what_zsh_runs_is_in_the_tree_or_a_trouble() {
    if let Some(zsh) = find("zsh", Dialect::Zsh, &["-f"]) {
        zsh.nothing_is_lost(texts(&[SH, ZSH]));
    }
}
