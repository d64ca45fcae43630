//! Tools of servers, however an agent spells them: `mcp__linear__get_issue`, `mcp__plugin_x_linear__get_issue`,
//! `mcp_Linear_get_issue`, `linear_get_issue`.
//!
//! INVARIANT: a server is known by its whole name. A name that only begins or ends like a known one is another server's,
//! and what its tools do is unknown.

use crate::kinds::{Guess, ToolKind};
use crate::knowledge::{Knowledge, parts};
use crate::tool::Tool;

/// What stands for every tool of which a server is believed that it only looks.
const LOOK: &str = "mcp__look";

/// A tool of a server that has an entry in our lists.
struct Served<'k, 'n> {
    /// The name our files use for the server.
    server: &'k str,
    tool: &'n str,
}

impl Knowledge {
    /// Returns what is known of a server's tool: what a file says of it, else that it looks, where its server is one
    /// whose words are believed.
    pub(crate) fn served(&self, name: &str) -> Option<Tool<'_>> {
        let found = self.spellings(name);
        let listed = |it: &Served<'_, '_>| {
            let usual = format!("mcp__{}__{}", it.server, it.tool);
            let found = self.tool_named(&usual)?;
            (found.kind() != ToolKind::Mcp).then_some(found)
        };
        found.iter().find_map(listed).or_else(|| {
            let looks = found.iter().any(|it| self.believed(it));
            looks.then(|| self.tool_named(LOOK)).flatten()
        })
    }

    /// Returns every way to part a name into a known server and a tool.
    fn spellings<'n>(&self, name: &'n str) -> Vec<Served<'_, 'n>> {
        let served = |server: &str, tool: &'n str| {
            let server = self.said("tool-servers", &server.to_ascii_lowercase())?;
            Some(Served { server, tool })
        };
        if let Some((server, tool)) = name
            .strip_prefix("mcp__")
            .and_then(|it| it.split_once("__"))
        {
            return served(bare(server), tool).into_iter().collect();
        }
        let name = name.strip_prefix("mcp_").unwrap_or(name);
        name.match_indices(['_', '-'])
            .filter_map(|(at, _)| {
                let (server, tool) = name.split_at_checked(at)?;
                served(server, tool.trim_start_matches(['_', '-']))
            })
            .collect()
    }

    /// Tells whether a server's word is believed that this tool of it looks: the name begins with a verb that the server
    /// keeps for looking, no other word of it says more, and none names a secret.
    fn believed(&self, it: &Served<'_, '_>) -> bool {
        let words: Vec<String> = parts(it.tool).collect();
        let is_name = |word: &&String| *word == it.server || *word == "api";
        let verb = words.iter().find(|word| !is_name(word));
        let kept = |verb: &String| {
            self.all_said("server-looks", it.server)
                .any(|it| it == verb)
        };
        let secret = |word: &String| {
            ["secret-nouns", "shown-secrets"]
                .iter()
                .any(|list| self.lists(list, word))
        };
        verb.is_some_and(kept)
            && self.guess(it.tool) == Some(Guess::Looks)
            && !words.iter().any(secret)
    }
}

/// Returns a server's name without what tells where it was registered: `plugin_NAME_linear`, `claude_ai_Linear`.
fn bare(server: &str) -> &str {
    let plugin = server
        .strip_prefix("plugin_")
        .and_then(|it| it.split_once('_'));
    match plugin {
        Some((_, server)) => server,
        None => server.strip_prefix("claude_ai_").unwrap_or(server),
    }
}
