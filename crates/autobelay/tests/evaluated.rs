//! Texts that the shell evaluates although they were quoted: each line was run under bash 5.2 and did run its command.

mod house;

use autobelay::{Gate, Nowhere, Settings, Verdict};

fn verdict(command: &str) -> Verdict {
    let call = house::call("Bash", house::object(&[("command", command)]));
    let gate = Gate::new(Settings::default());
    gate.judge_in(&call, &Nowhere).verdict
}

const RUN: &[&str] = &[
    "declare -a 'a=($(rm -rf ~))'",
    "a=(); declare 'a=($(rm -rf ~))'",
    "declare -A 'a=([x]=$(rm -rf ~))'",
    "declare -ax 'a=($(rm -rf ~))'",
    "declare -a 'a=([$(rm -rf ~)]=1)'",
    "declare -g -a 'a=($(rm -rf ~))'",
    "declare -a a='($(rm -rf ~))'",
    "readonly -a 'a=($(rm -rf ~))'",
    "typeset -a 'a=($(rm -rf ~))'",
    "f() { local -a 'a=($(rm -rf ~))'; }; f",
    "x='($(rm -rf ~))'; declare -a a=$x",
    "x='($(rm -rf ~))'; declare -a \"a=$x\"",
    ": & wait -n -p 'a[$(rm -rf ~)]'",
    "RANDOM='a[$(rm -rf ~)]'",
    "OPTIND='a[`rm -rf ~`]'",
    "declare -i x; x='a[$(rm -rf ~)]'",
    "declare -i x=1; x+='a[$(rm -rf ~)]'",
    "declare -i x; read x <<<'a[$(rm -rf ~)]'",
    "declare -i x; printf -v x '%s' 'a[$(rm -rf ~)]'",
    "declare -i x; for x in 'a[$(rm -rf ~)]'; do :; done",
    "declare -i x; : ${x:='a[$(rm -rf ~)]'}",
    "declare -ia x; x=('a[$(rm -rf ~)]')",
    "declare -n r; for r in 'a[$(rm -rf ~)]'; do : $r; done",
    "x='a[$(rm -rf ~)]'; [ -v $x ]",
    "x='a[$(rm -rf ~)]'; read $x <<<1",
    "{,rm} -rf ~",
    "<&-rm -rf ~",
    ": <<-E\n\t\\\n\tE\nrm -rf ~\n\tE",
];

#[test]
fn what_the_shell_evaluates_is_never_allowed() {
    for command in RUN {
        assert_ne!(verdict(command), Verdict::Allow, "{command}");
    }
}

const HARMLESS: &[&str] = &[
    "declare -a a=(1 2 3)",
    "declare -A a=([x]=1)",
    "files=($(ls)); echo ${#files[@]}",
    "x='a[1]'; echo $x",
    "msg='see [docs](https://x.test) and $(nothing)'; echo done",
    "for x in 'a[0]' 'b'; do echo $x; done",
    "pat='[[:space:]]+'; echo $pat",
];

#[test]
fn what_it_does_not_evaluate_runs_without_a_question() {
    for command in HARMLESS {
        assert_eq!(verdict(command), Verdict::Allow, "{command}");
    }
}
