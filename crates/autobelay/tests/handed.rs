//! Words that a call hands on to a script of the project count as if they stood behind it there.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a world of which little is known"
)]

mod house;

use autobelay::{Answer, Gate, Question, Settings, Surroundings, Verdict};

const MANIFEST: &str = r#"{"scripts": {
    "test": "vitest run", "unit": "npm run test", "lint": "eslint src", "format": "prettier --write src", "build": "tsc && vite build",
    "clean": "rm -rf dist", "gen": "node scripts/gen.js", "own": "frob build"
}}"#;

struct Project;

impl Surroundings for Project {
    fn ask(&self, question: &Question) -> Answer {
        match question {
            Question::Resolve(path) => Answer::Path(path.clone()),
            Question::Text(path, _) if path == "/work/app/package.json" => {
                Answer::Text(MANIFEST.as_bytes().to_vec(), true)
            }
            _ => Answer::Unknown,
        }
    }
}

fn verdict(line: &str) -> Verdict {
    let call = house::call("Bash", house::object(&[("command", line)]));
    Gate::new(Settings::default())
        .judge_in(&call, &Project)
        .verdict
}

#[test]
fn what_a_script_does_with_them_counts() {
    for line in [
        "npm test -- --config /tmp/x.ts",
        "npm run unit -- -- --config /tmp/x.ts",
        "npm run lint -- -c /tmp/x.js",
        "npm run lint -- --rulesdir /tmp/x",
        "npm run lint -- -o /etc/x",
        "npm run format -- ~/other",
        "npm run format ~/other",
        "npm run build -- --outDir /etc",
        "npm run clean -- ~/notes",
        "npm run -s clean -- ~/notes",
        "pnpm test --config /tmp/x.ts",
        "pnpm run test -- --config /tmp/x.ts",
        "yarn test --config /tmp/x.ts",
        "bun run test --config /tmp/x.ts",
        "npm test -- \"$x\"",
        "npm test -- 'a'\\''b' --config /tmp/x.ts",
    ] {
        assert_ne!(verdict(line), Verdict::Allow, "{line}");
    }
}

#[test]
fn ordinary_words_are_no_question() {
    for line in [
        "npm test",
        "npm test -- --coverage -t 'a name'",
        "npm test -- src/a.test.ts",
        "npm test src/a.test.ts",
        "npm run unit -- -- --coverage",
        "npm run test --workspace web --if-present",
        "npm run lint -- --fix",
        "npm run format -- src/a.ts",
        "npm run build -- --mode production",
        "npm run clean -- build",
        "npm run gen -- --out src/x.ts --frob",
        "npm run own -- --frob x",
        "pnpm test --reporter=verbose",
        "yarn lint --fix",
        "bun run test --bail 1",
        "bun build src/a.ts --outdir dist",
        "bun test src/a.test.ts --todo",
        "npm run missing -- --config /tmp/x",
    ] {
        assert_eq!(verdict(line), Verdict::Allow, "{line}");
    }
}
