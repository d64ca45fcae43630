use crate::{Case, Client, Fate, expected};

/// Returns the matrix of agents and cases as Markdown; `fate` tells what becomes of a call.
#[must_use]
pub fn matrix(clients: &[Client], fate: &dyn Fn(Client, Case) -> Fate) -> String {
    let mut text = String::from("| case |");
    for client in clients {
        text.push_str(&format!(
            " {} {} |",
            client.agent().title(),
            client.version()
        ));
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(clients.len()));
    text.push('\n');
    for case in Case::ALL {
        text.push_str(&format!("| {} |", case.title()));
        for client in clients {
            let cell = cell(expected(*client, case), fate(*client, case), case);
            text.push_str(&format!(" {cell} |"));
        }
        text.push('\n');
    }
    text
}

fn cell(wanted: Fate, became: Fate, case: Case) -> &'static str {
    match (became, case) {
        (Fate::None, _) => "–",
        (Fate::Unmeasured, _) => "not measured",
        (Fate::Ran, Case::HostTimeout) => "**runs**: no hook can close this",
        (Fate::Ran, _) if wanted == Fate::Ran => "runs ✓",
        (Fate::Stopped, _) if wanted == Fate::Stopped => "stopped ✓",
        (Fate::Ran, _) => "RUNS ✗",
        (Fate::Stopped, _) => "STOPPED ✗",
    }
}

/// Returns the page that is published: the matrix the tests insist on, and what they cannot see.
#[must_use]
pub fn page() -> String {
    format!(
        "{HEAD}\n{}\n{TAIL}",
        matrix(&Client::ALL, &|client, case| expected(client, case))
    )
}

/// Returns what the README shows between its markers.
#[must_use]
pub fn summary() -> String {
    let clients: Vec<String> = Client::ALL
        .iter()
        .map(|it| format!("{} {}", it.agent().title(), it.version()))
        .collect();
    format!(
        "Run against the real client: {}. {OTHERS}",
        clients.join(", ")
    )
}

const OTHERS: &str = "\
Allow, ask, deny, a crash, a
time-out, a missing binary and broken settings are each a test that looks for a marker file on disk. Written from documentation, not
run: VS Code, Cursor, Windsurf, Cline, Factory Droid, Kiro, Goose, Amp. Any agent that speaks ACP works through `belay acp`.
[Every case of every agent, and what no hook can close](docs/reference/agents.md).
";

const HEAD: &str = "\
# Agents: what the gate really does with each

Every cell is a test that runs the agent's own client, at the version named, without a person,
against a scripted model (`cargo test -p belay-e2e`). What counts is whether a marker file is on
disk afterwards. *Gate missing* means that the program was deleted after it was installed; *gate
late* that it ran into its own deadline; *settings broken* that its own settings cannot be read;
*host's time-out* that it hung and the client gave up waiting. In the last five rows the real belay stands in
the way: *plan mode* and *own ask rule* are changes that belay would allow and the person's own settings do
not; *planted environment* is a repository that points to settings in which belay is off; *padded patch* hides
a file behind a blank; *ignored folder field* names a folder that the client ignores.
";

const TAIL: &str = "\
## What no hook can close

* **The host's own time-out.** Codex, Gemini CLI, Qwen Code and Copilot CLI run the call when a
  hook does not answer in the time they give it. belay asks for 60 seconds and answers, or refuses,
  long before.
* **Codex, `write_stdin`.** Text typed into a shell that is already running is shown to no hook.
  belay therefore does not let bare interactive shells and interpreters through (tested with the
  client). The code of `exec` (`features.code_mode`) is shown to no hook either, but every command
  it runs is, and is judged (tested).
* **Codex cannot ask for a hook.** What belay would ask about is refused before a tool runs, as silence
  would run it; when Codex is about to ask a person anyway, the question is left to them.
* **Codex trust.** A hook that is not trusted is silently skipped; `belay install codex
  --trust-codex` enters it, `belay doctor codex` checks it.
* **Gemini CLI and OpenCode** can be refused but not approved by a hook: their own permissions
  hold too. OpenCode drops a plugin that cannot be loaded and goes on.
* **Claude Code** reads `@file` mentions without a tool call. Before 2.1.295 it does not know
  `onFailure`, and runs the call when a hook fails; `belay doctor` says so.

## The daemon

`belay install claude-code --http` registers Claude Code's http hook with `onFailure: \"block\"`: the
client asks `belay serve` on 127.0.0.1, with a token that only the user can read, instead of starting
a program for every call. A session starts the daemon. Tested with the client: an allowed call runs, a
denied one does not, and without a daemon, or with another token, no call runs at all. Whoever can
reach the daemon gets verdicts and nothing else.

## Documented, not run

These are written from their documentation, looked at again in November 2026, and could not be run
here.

| agent | what it can do with a verdict | where that is said |
|---|---|---|
| VS Code | allow, ask, deny | its agent hooks, Claude Code's form |
| Cursor | allow, ask, deny; `failClosed` refuses when a hook fails | cursor.com/docs/hooks |
| Windsurf | deny by exit code 2; an ask is a refusal | docs.windsurf.com, Cascade hooks |
| Cline | cancel; an ask is a refusal | docs.cline.bot, hook reference |
| Factory Droid | allow, ask, deny | docs.factory.ai/harness/hooks: `hooks.json` is keyed by the event, `settings.json` below `hooks`, and versions differ on which is read; both are written |
| Kiro | deny by exit code 2; an ask is a refusal | kiro.dev/docs/cli/v3/hooks |
| Goose | block; `on_failure` refuses when a hook fails; an ask is a refusal | its hooks guide |
| Amp | allow, ask, reject by exit code 0, 1, 2 of a `delegate` | its manual, permissions; newer versions run tools without asking unless a plugin stands in the way: try it before you rely on it |

For all that start hooks through a shell the registration refuses when belay is missing or killed.
";
