//! Words are read as programs read them.
#![expect(clippy::panic, clippy::expect_used, reason = "a test may fail")]

use belay_knowledge::{Knowledge, Word, read};

const FILES: &[(&str, &str)] = &[
    ("commands/cp.toml", include_str!("files/cp.toml")),
    ("commands/rm.toml", include_str!("files/rm.toml")),
    ("commands/env.toml", include_str!("files/env.toml")),
    ("commands/find.toml", include_str!("files/find.toml")),
    ("commands/tar.toml", include_str!("files/tar.toml")),
    ("commands/dd.toml", include_str!("files/dd.toml")),
    ("commands/curl.toml", include_str!("files/curl.toml")),
    ("commands/ssh.toml", include_str!("files/ssh.toml")),
    ("commands/xargs.toml", include_str!("files/xargs.toml")),
    ("commands/terra.toml", include_str!("files/terra.toml")),
    ("commands/python.toml", include_str!("files/python.toml")),
    ("commands/git/git.toml", include_str!("files/git.toml")),
    ("commands/git/push.toml", include_str!("files/push.toml")),
    (
        "commands/git/config.toml",
        include_str!("files/config.toml"),
    ),
    (
        "commands/git/checkout.toml",
        include_str!("files/checkout.toml"),
    ),
    ("commands/kubectl.toml", include_str!("files/kubectl.toml")),
    ("commands/yarn.toml", include_str!("files/yarn.toml")),
    ("variables/pager.toml", include_str!("files/pager.toml")),
];

fn knowledge() -> Knowledge {
    match Knowledge::load_texts(FILES) {
        Ok(knowledge) => knowledge,
        Err(error) => panic!("{error}"),
    }
}

/// Reads a line whose words are parted by blanks; `$x` is one unknown word, `$*` any number, `'a b'`
/// one word.
fn lines(line: &str) -> Vec<String> {
    let knowledge = knowledge();
    let mut texts: Vec<String> = Vec::new();
    let mut open = false;
    for word in line.split(' ') {
        match texts.last_mut() {
            Some(last) if open => {
                last.push(' ');
                last.push_str(word);
            }
            _ => texts.push(word.to_owned()),
        }
        open ^= word.matches('\'').count() % 2 == 1;
    }
    let texts: Vec<String> = texts.iter().map(|it| it.replace('\'', "")).collect();
    let words: Vec<Word<'_>> = texts
        .iter()
        .map(|it| match it.split_once('$') {
            Some(("", "*")) => Word::Unknown,
            Some((before, _)) => Word::Prefix(before),
            None if it.contains('*') => Word::Pattern(it),
            None => Word::Known(it),
        })
        .collect();
    let name = texts.first().expect("a name");
    let command = knowledge.find(name).expect("a known command");
    read(command, &words).lines(&words)
}

#[track_caller]
fn check(line: &str, expected: &[&str]) {
    assert_eq!(lines(line), expected, "{line}");
}

#[test]
fn operands_fill_slots() {
    check("cp a b", &["read a", "write b"]);
    check("cp a b c", &["read a", "read b", "write c"]);
    check("rm -- -r", &["delete -r"]);
    check("rm a -r", &["delete tree a"]);
    check("cp a", &["read a"]);
}

#[test]
fn flags_have_many_spellings() {
    let tree = &["read tree a", "write tree b"];
    for line in [
        "cp -r a b",
        "cp -R a b",
        "cp -fr a b",
        "cp -vrf a b",
        "cp --recursive a b",
        "cp --rec a b",
        "cp a b -r",
        "cp a -r b",
        "cp -r -- a b",
        "cp -rtb a",
        "cp -rt b a",
        "cp -r -t b a",
        "cp -r --target-directory=b a",
        "cp -r --target-directory b a",
        "cp -r --tar=b a",
        "cp --color --no-color -r --backup=x -S .bak --suffix=.x a b",
    ] {
        check(line, tree);
    }
}

#[test]
fn abbreviations_must_be_clear() {
    check("cp --re a b", &["read a", "write b", "unknown flag --re"]);
    check("cp --rem a b", &["read a", "write b"]);
    check(
        "kubectl --names x get pod",
        &["unknown flag --names", "unknown subcommand x"],
    );
}

#[test]
fn strange_flags_are_unknown() {
    check("rm --shred it", &["delete it", "unknown flag --shred"]);
    check("rm -rZ it", &["delete tree it", "unknown flag -Z"]);
    check("rm --force=yes it", &["delete it", "unknown flag --force"]);
    check("rm --help", &[]);
    check("rm -rf x --version", &["delete tree x"]);
    check("rm --version", &[]);
    check("rm -rf -- --help", &["delete tree --help"]);
    check("kubectl get pod --frob -w", &["probe cluster"]);
}

#[test]
fn dry_runs_spare() {
    check("cp -nr a b", &["read a"]);
    check("git push -nf", &["probe (default)"]);
    check(
        "git push -n --receive-pack=x o",
        &["eval shell 'x'", "probe o"],
    );
    check("git push -n --frob o", &["probe o", "unknown flag --frob"]);
    check("kubectl delete pod --dry-run=client", &["probe cluster"]);
    check(
        "kubectl delete pod --dry-run=none",
        &["destroy cluster pod on cluster "],
    );
    check(
        "kubectl delete pod --dry-run",
        &["destroy cluster pod on cluster "],
    );
    check(
        "kubectl delete pod --dry-run=$x",
        &["destroy cluster pod on cluster "],
    );
}

#[test]
fn parents_have_flags_too() {
    check(
        "git -C sub push -f o m",
        &["publish o m", "cd sub", "rewrite o m"],
    );
    check(
        "git -c a=b push",
        &["publish (default) (current)", "unknown setting a=b"],
    );
    check(
        "git push -C sub",
        &["publish sub (current)", "unknown flag -C"],
    );
    check(
        "kubectl delete pod --context=x -n y",
        &["destroy cluster pod on cluster x", "probe cluster"],
    );
    check("git frob x", &["unknown subcommand frob"]);
    check("git $x", &["unknown subcommand ?"]);
}

#[test]
fn subcommands_may_be_left_out() {
    check("git stash", &["change repository"]);
    check("git stash -u -m x", &["change repository"]);
    check("git stash clear", &["discard stash"]);
    check("yarn", &["install npm declared"]);
    check("yarn --frozen-lockfile", &["install npm declared"]);
    check("yarn build --help", &["run task npm build"]);
}

#[test]
fn forms_go_by_operands() {
    check("git config a", &["read repository"]);
    check("git config a b", &["configure git a"]);
    check(
        "git config a b c",
        &["read repository", "configure git a", "unknown operand c"],
    );
    check("git config $x", &["read repository", "unknown flag ?"]);
    check(
        "git config $*",
        &["read repository", "configure git ?", "unknown flag ?"],
    );
    check("git checkout -- a b", &["discard a", "discard b"]);
    check("git checkout main", &["change repository"]);
    check(
        "git checkout main -- a",
        &["change repository", "discard a"],
    );
    check("git checkout main a", &["discard a"]);
    check("git checkout -- *.rs", &["discard *.rs"]);
    check("git checkout main --", &["change repository"]);
}

#[test]
fn payloads_are_left_alone() {
    check("env -i A=1 rm -rf x", &["run (rm -rf x)"]);
    check("env -u HOME -- rm x", &["run (rm x)"]);
    check("env -S'rm x'", &["eval shell 'rm x'"]);
    check("env --help rm x", &["run (rm x)"]);
    check("xargs -0n1 rm -f", &["run (rm -f) + operands"]);
    check("xargs -I{} rm {}", &["run (rm {}) replacing {}"]);
    check(
        "ssh -p 22 box -v ls -la",
        &["fetch box", "eval shell words 5..7 on ssh box"],
    );
    check("ssh box", &["fetch box"]);
    check(
        "kubectl exec -it web -- ls -la",
        &["run (ls -la) on container web"],
    );
    check("env $*", &["run (?)", "unknown flag ?"]);
}

#[test]
fn find_has_its_own_way() {
    check("find", &["read tree ."]);
    check("find a b -name x", &["read tree a", "read tree b"]);
    check(
        "find a ( -name x -o -name y ) -delete",
        &["read tree a", "delete tree a"],
    );
    check(
        "find a -exec rm {} ; -delete",
        &["read tree a", "run (rm {}) found a", "delete tree a"],
    );
    check(
        "find a -exec rm + {} + -fprint x",
        &["read tree a", "run (rm + {}) found a", "write x"],
    );
    check("find a -frob", &["read tree a", "unknown flag -frob"]);
}

#[test]
fn tar_has_an_old_way() {
    let out = &["read a.tgz", "write tree ."];
    check("tar xzf a.tgz", out);
    check("tar -xzf a.tgz", out);
    check("tar fx a.tgz", out);
    check("tar --extract --file a.tgz", out);
    check("tar xfC a.tgz /opt", &["read a.tgz", "write tree /opt"]);
    check("tar cf a src", &["read tree src", "write a"]);
}

#[test]
fn dd_assigns() {
    check("dd if=a of=/dev/sda bs=4M", &["read a", "write /dev/sda"]);
    check("dd if=a what=1", &["read a", "unknown flag what="]);
    check("dd of=$x", &["write ?"]);
    check("dd --help", &[]);
}

#[test]
fn go_stops_at_operands() {
    check(
        "terra -chdir=x plan -out y",
        &["probe infrastructure", "cd x", "write y"],
    );
    check(
        "terra --chdir x plan --out=y",
        &["probe infrastructure", "cd x", "write y"],
    );
    check(
        "terra up plan -auto-approve",
        &[
            "change infrastructure",
            "read plan",
            "unknown operand -auto-approve",
        ],
    );
}

#[test]
fn names_may_be_patterns() {
    check("python3.12 -u a.py -m x", &["run a.py"]);
    check(
        "python -m http.server --help",
        &["run task python http.server"],
    );
}

#[test]
fn values_matter() {
    check("curl -X GET u", &["fetch u"]);
    check("curl -XPOST u", &["fetch u", "send u with text POST"]);
    check("curl -X=POST u", &["fetch u", "send u with text POST"]);
    check("curl -X $m u", &["fetch u", "send u with text ?"]);
    check(
        "curl -d @a -d b u v",
        &[
            "fetch u",
            "fetch v",
            "send u with body @a",
            "send v with body @a",
            "send u with body b",
            "send v with body b",
        ],
    );
    check("curl -so x u", &["fetch u", "write x with fetched"]);
    check("git push o +m", &["publish o +m", "rewrite o +m"]);
    check("git push o feature$x", &["publish o feature?"]);
    check(
        "git push o $x",
        &["publish o ?", "unknown flag ?", "unknown operand ?"],
    );
}

#[test]
fn unknown_words_may_be_flags() {
    check("rm $x", &["delete ?", "unknown flag ?"]);
    check("rm -- $x", &["delete ?"]);
    check("rm a$x", &["delete a?"]);
    check("rm -$x a", &["delete a", "unknown flag ?"]);
    check("rm *.o", &["delete *.o"]);
    check("rm *", &["delete *", "unknown flag ?"]);
    check("cp --target-directory=$x a", &["read a", "write ?"]);
    check("cp -t$x a", &["read a", "write ?"]);
    check("cp $*", &["read ?", "write ?", "unknown flag ?"]);
}

#[test]
fn variables_have_values() {
    let knowledge = knowledge();
    let pager = knowledge.variable("MY_PAGER").expect("a pattern");
    assert!(pager.harmless(Word::Known("less -R")));
    assert!(pager.harmless(Word::Known("")));
    assert!(!pager.harmless(Word::Known("sh")));
    assert!(!pager.harmless(Word::Prefix("less ")));
    assert!(!pager.secret());
    assert_eq!(pager.acts().len(), 2);
    assert!(knowledge.variable("NOBODY_KNOWS").is_none());
}

#[test]
fn a_second_line_is_not_a_listed_value() {
    let files = [(
        "commands/x.toml",
        "about = 'X.'\nusage = 'x [P]'\nflags = { '-d=limit=*' = '', '-d=S' = 'unknown setting S' }\n[examples]\n'x' = []\n'x a' = []\n'x b' = []\n",
    )];
    let knowledge = Knowledge::load_texts(&files).expect("a good file");
    let command = knowledge.find("x").expect("a known command");
    let read = |value| {
        read(
            command,
            &[Word::Known("x"), Word::Known("-d"), Word::Known(value)],
        )
    };
    assert!(read("limit=1").acts.is_empty());
    assert!(!read("limit=1\nprepend=/tmp/x").acts.is_empty());
}

#[test]
fn a_slot_may_have_a_text_of_its_own() {
    let files = [(
        "commands/x.toml",
        "about = 'X.'\nusage = 'x [P]'\neffects = ['read P']\nflags = { '-r' = { instead = ['read tree P|.'] } }\n[examples]\n'x' = []\n'x -r' = []\n'x b' = []\n",
    )];
    let knowledge = Knowledge::load_texts(&files).expect("a good file");
    let command = knowledge.find("x").expect("a known command");
    let lines = |words: &[&'static str]| {
        let words: Vec<Word<'_>> = words.iter().map(|it| Word::Known(it)).collect();
        read(command, &words).lines(&words)
    };
    assert_eq!(lines(&["x", "-r", "a"]), ["read tree a"]);
    assert_eq!(lines(&["x", "-r"]), ["read tree ."]);
}

#[test]
fn other_names_scripts_and_packages() {
    let examples = "[examples]\n'x' = []\n'x a' = []\n'x b' = []\n";
    let one = format!(
        "about = 'X.'\nscripts = ['x.py']\npackages = ['npm', 'pip y']\nnames = ['x', 'y']\n{examples}"
    );
    let two = format!("about = 'Z.'\nalias = 'x sub'\n{examples}");
    let files = [("commands/x.toml", one.as_str()), ("commands/z.toml", &two)];
    let knowledge = Knowledge::load_texts(&files).expect("good files");
    assert_eq!(knowledge.alias("z").collect::<Vec<_>>(), ["x", "sub"]);
    assert_eq!(knowledge.script("x.py"), Some("x"));
    assert!(knowledge.is_package("npm", "x") && knowledge.is_package("pip", "y"));
    assert!(!knowledge.is_package("pip", "x") && knowledge.find("z").is_none());
}
