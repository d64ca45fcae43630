use expect_test::{Expect, expect};

use super::{Imported, claude, codex, gemini};
use crate::{Source, load_texts};

fn check(imported: Imported, expected: Expect) {
    let mut text = imported.to_toml();
    let loaded = load_texts(&[(Source::User, "imported", &text)]);
    assert_eq!(loaded.errors, [], "{text}");
    for left in &imported.left {
        text.push_str(&format!("left {}: {}\n", left.line, left.why));
    }
    for changed in &imported.changed {
        text.push_str(&format!("changed {}: {}\n", changed.line, changed.why));
    }
    expected.assert_eq(&text);
}

#[test]
fn claude_code() {
    let settings = r#"{
        "permissions": {
            "allow": ["Bash(npm run test:*)", "Bash(cargo test)", "Bash(python:*)", "Bash", "Bash(*)",
                "Bash(git * main)", "Read(~/notes/**)", "Read(//etc/hosts)", "Edit(/src/**)", "WebFetch(domain:docs.rs)",
                "mcp__github", "mcp__github__get_issue", "Grep", "Bash(npm run:*)", "Bash(a && b)"],
            "ask": ["Bash(git push:*)"],
            "deny": ["Bash(curl:*)", "Read(./.env)", "WebSearch"],
            "additionalDirectories": ["../lib", "~/lib"],
            "defaultMode": "acceptEdits"
        },
        "autoMode": {"soft_deny": ["$defaults", "Never touch billing"], "environment": ["Org: x"], "classifyAllShell": true}
    }"#;
    check(
        claude(settings).unwrap(),
        expect![[r#"
            [rules]
            hard_deny = [
              "curl",
            ]
            soft_deny = [
              "$defaults",
              "Never touch billing",
            ]
            allow = [
              "$defaults",
              "npm run test",
              "cargo test",
            ]
            environment = [
              "Org: x",
            ]

            [allowlist]
            tools = [
              "mcp__github__get_issue",
              "Grep",
            ]

            [project]
            roots = [
              "~/lib",
            ]

            [[rule]]
            effect = "read"
            path = "~/notes/**"
            verdict = "allow"

            [[rule]]
            effect = "read"
            path = "/etc/hosts"
            verdict = "allow"

            [[rule]]
            effect = ["write", "delete", "move"]
            path = "./src/**"
            verdict = "allow"

            [[rule]]
            effect = "fetch"
            host = "docs.rs"
            verdict = "allow"

            [[rule]]
            tool = "mcp__github__*"
            verdict = "allow"

            [[rule]]
            command = "git push"
            verdict = "ask"

            [[rule]]
            effect = "read"
            path = "./.env"
            verdict = "deny"

            [[rule]]
            tool = "WebSearch"
            verdict = "deny"

            left Bash(python:*): too broad: it would allow any code
            left Bash: too broad: the tool can do anything
            left Bash(*): too broad: the tool can do anything
            left Bash(git * main): a `*` in the middle has no counterpart here
            left Bash(npm run:*): too broad: it would allow any code
            left Bash(a && b): it does not read as one command
            left ../lib: a folder must be absolute or in home
            left acceptEdits: `defaultMode` is the agent's own; ours is `mode`
            left classifyAllShell: this key of `autoMode` has no counterpart in belay
            changed Bash(cargo test): here it also covers further words of the same command
        "#]],
    );
}

#[test]
fn codex_rules() {
    let rules = r#"
        # comment
        prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt", match = [["git", "push"]])
        prefix_rule(pattern = ["cargo", "test"])
        prefix_rule(pattern = ["bash", "-c"])
        prefix_rule(pattern = ["rm", "-rf"], decision = "forbidden", justification = "Use \"trash\".")
        network_rule(host = "x", decision = "allow")
        x = 1
    "#;
    check(
        codex(rules).unwrap(),
        expect![[r#"
            [rules]
            allow = [
              "$defaults",
              "cargo test",
            ]

            [[rule]]
            command = "git push"
            verdict = "ask"

            [[rule]]
            command = "git fetch"
            verdict = "ask"

            [[rule]]
            command = "rm -rf"
            verdict = "deny"
            because = "Use \"trash\"."

            left prefix_rule: bash -c: too broad: it would allow any code
            left network_rule: it has no counterpart in belay
            left x: only plain calls of `prefix_rule` are read
            left 1: only plain calls of `prefix_rule` are read
        "#]],
    );
}

#[test]
fn gemini_policy() {
    let policy = r#"
        [[rule]]
        toolName = "run_shell_command"
        commandPrefix = ["git status", "git log"]
        decision = "allow"
        priority = 100
        [[rule]]
        toolName = "run_shell_command"
        commandPrefix = "rm -rf"
        decision = "deny"
        denyMessage = "no"
        priority = 200
        [[rule]]
        toolName = "run_shell_command"
        decision = "allow"
        priority = 1
        [[rule]]
        toolName = "run_shell_command"
        commandRegex = "^git"
        decision = "allow"
        priority = 1
        [[rule]]
        mcpName = "issues"
        decision = "ask_user"
        priority = 1
        [[rule]]
        toolName = "*"
        decision = "allow"
        priority = 1
        modes = ["yolo"]
    "#;
    check(
        gemini(policy).unwrap(),
        expect![[r#"
            [rules]
            allow = [
              "$defaults",
              "git status",
              "git log",
            ]

            [[rule]]
            command = "rm -rf"
            verdict = "deny"
            because = "no"

            [[rule]]
            tool = "mcp_issues_*"
            verdict = "ask"

            left decision = "allow", priority = 1, toolName = "run_shell_command": too broad: the tool can do anything
            left commandRegex = "^git", decision = "allow", priority = 1, toolName = "run_shell_command": regular expressions have no counterpart here
            left decision = "allow", modes = ["yolo"], priority = 1, toolName = "*": its conditions have no counterpart here
            changed priority: here deny wins over ask and ask over allow, whatever the priority
        "#]],
    );
}

#[test]
fn nonsense_is_refused() {
    assert!(claude("{").is_err());
    assert!(codex("prefix_rule(pattern = [").is_err());
    assert!(codex("\"").is_err());
    assert!(gemini("[[rule").is_err());
}
