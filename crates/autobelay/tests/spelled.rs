//! Lines that were once judged milder than what they plainly say; `cargo xtask attack` found them. Bash runs each as the plain line.

mod house;

use autobelay::Verdict;
use house::verdict;

/// All of them say `rm -rf ~`, `rm -rf /` or write where nobody may.
const DENIED: &[&str] = &[
    // Lists of words in which each pattern stands for what it finds.
    "set -- rm -rf /*; \"$@\"",
    "a=(rm -rf ~/*); \"${a[@]}\"",
    "f() { \"$@\"; }; f rm -rf ~/*",
    "sh -c '\"$@\"' _ rm -rf /*",
    "f() { x=$1; shift; \"$x\" \"$@\"; }; f rm -rf ~/*",
    // Patterns that only a root matches.
    "rm -rf /hom[e]",
    "rm -rf /hom?",
    "rm -rf /home/*",
    // More words than ways in which they may turn out.
    "\"${Q:-nice}\" \"${Q:-nohup}\" \"${Q:-rm}\" \"${Q:--r}\" \"${Q:--f}\" \"${Q:-/}\"",
    // What code that waits leaves behind.
    "trap 'trap \"rm -rf ~\" EXIT' ERR; false",
    "trap 'trap \"rm -rf ~\" INT' EXIT",
    // Arithmetic that breaks off.
    "x=/; (( x = )) || rm -rf \"$x\"",
    "x=/; (( 3 + x = 4 )); rm -rf \"$x\"",
    // Encoded texts.
    "echo cm0gLXJmIH4= | base64 -d | bash",
    "base64 --decode <<< cm0gLXJmIH4= | sh",
    "eval \"$(echo cm0gLXJmIH4= | base64 -d)\"",
    "bash -c \"$(echo cm0gLXJmIH4= | base64 -d)\"",
    "echo cm0gLXJmIH4= > /tmp/x; base64 -d /tmp/x | bash",
    "echo 726d202d7266207e | xxd -r -p | bash",
    "printf '\\x72\\x6d -rf ~' | bash",
    "printf '\\162\\155 -rf ~' | sh",
    "printf %b '\\x72\\x6d -rf ~' | bash",
    "printf '\\x72\\x6d -rf ~' | sh",
    "echo -e '\\x72\\x6d -rf ~' | bash",
    "rev <<< '~ fr- mr' | bash",
    "tr A-Za-z N-ZA-Mn-za-m <<< 'ez -es ~' | bash",
    "echo 'r,m -r,f ~' | tr -d , | bash",
    "echo 'rm -rf ~' | tee /dev/null | bash",
    "echo 'rm -rf ~' | tee -a /tmp/log | bash",
    // Operands that a NUL ends.
    "printf '%s\\0' -rf / | xargs -0 rm",
    "printf '%s\\0' -rf / | xargs --null rm",
    "printf '%s\\0' ~ | xargs -0 -I{} rm -rf {}",
    // Aliases.
    "shopt -s expand_aliases; alias q='rm -rf ~'; eval q",
    "shopt -s expand_aliases\nalias q='rm -rf ~'\nq",
    // Texts that one of several may be.
    "x=ls; [ -d a ] && x='rm -rf ~'; bash -c \"$x\"",
    // Code of other languages that hands a command to a shell.
    "perl -e 'system(\"rm -rf ~\")'",
    "perl -e 'exec q{rm -rf ~}'",
    "perl -e 'print `rm -rf ~`'",
    "ruby -e 'system(\"rm\", \"-rf\", \"/home/me\")'",
    "ruby -e '%x{rm -rf ~}'",
    "lua -e 'os.execute(\"rm -rf ~\")'",
    "php -r 'shell_exec(\"rm -rf ~\");'",
    // The home by way of a program.
    "echo x > $(printenv HOME)/.bashrc",
];

#[test]
fn another_spelling_is_no_milder_than_what_is_denied() {
    for command in DENIED {
        assert_eq!(verdict(command), Verdict::Deny, "{command}");
    }
}

const ASKED: &[&str] = &[
    // A number of which every digit becomes something else.
    "x=$$; rm -rf \"${x//[0-9]//}\"",
    // A folder by way of a process: `cd` goes up from what the link leads to.
    "cd /proc/self/cwd/../../me/.aws && cat ./credentials",
    "find . -maxdepth 0 -exec jq -n '$ENV.AWS_SECRET_ACCESS_KEY' \\;",
    "find . -maxdepth 0 -exec echo /home/me/x \\; | xargs rm",
    "find ~ -print -exec echo a \\; | xargs rm",
    "mv a //dev/null",
    "mv a ///dev/null",
    "mv a /dev/./null",
    "printf '%s\\0' --frob | xargs -0 lslogins",
    // What is not written as its encoding says, programs may read otherwise.
    "echo cm0gLXJmIH4 | base64 -d | bash",
    "echo 'bHM=bHM=' | base64 -d | bash",
    "echo bHM= | base32 -d | bash",
    "echo '6c 73' | xxd -r -p | bash",
    "echo 6c73 | xxd -r | bash",
    "tr '[:upper:]' '[:lower:]' <<< LS | bash",
    "tr -c a b <<< ls | bash",
    "rev -0 <<< sl | bash",
    // A per cent sign that is written as a number begins no slot.
    "printf '\\x25s' ls | bash",
    "printf '\\045s' ls | bash",
    // Hardly a reader takes a NUL as another does.
    "printf 'ls /tmp/x/.\\0./../../home/me' | bash",
    "printf 'ls\\0' | bash",
    // Whether `sh` knows `\x` nobody knows.
    "sh -c 'printf \"\\\\x6c\\\\x73\" | sh'",
];

#[test]
fn another_spelling_is_no_milder_than_what_is_asked() {
    for command in ASKED {
        assert_ne!(verdict(command), Verdict::Allow, "{command}");
    }
}

const ALLOWED: &[&str] = &[
    "f() { \"$@\"; }; f ls src/*.rs",
    "f() { shift; wc -l \"$@\"; }; f x src/*.rs",
    "cd src/../docs && ls",
    "echo bHMgLWxh | base64 -d | bash",
    "echo bHMgLWxh | base64 -d",
    "printf '\\x6c\\x73' | bash",
    "printf '%s\\0' src/a.rs 'src/b c.rs' | xargs -0 wc -l",
    "printf '%s\\0' *.rs | xargs -0 wc -l",
    "rev <<< sl | bash",
    "echo LS | tr A-Z a-z | bash",
    "echo ls | tee /tmp/cmd | bash",
    "mv a b",
    "find . -name '*.rs' -exec grep -l foo {} \\; | xargs wc -l",
    "echo \"$(printenv HOME)\"",
];

#[test]
fn a_harmless_text_may_be_decoded() {
    for command in ALLOWED {
        assert_eq!(verdict(command), Verdict::Allow, "{command}");
    }
}
