use std::fmt;

macro_rules! agents {
    ($($(#[$doc:meta])* $variant:ident = $word:literal, $title:literal;)*) => {
        /// The clients we plug into.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Agent { $($(#[$doc])* $variant,)* }

        impl Agent {
            /// All agents, those whose real client is tested first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the word that names the agent on the command line and in records.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Returns the name people know.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

agents! {
    /// Anthropic's Claude Code.
    ClaudeCode = "claude-code", "Claude Code";
    /// OpenAI's Codex CLI.
    Codex = "codex", "Codex";
    /// Google's Gemini CLI.
    Gemini = "gemini", "Gemini CLI";
    /// GitHub's Copilot CLI.
    Copilot = "copilot", "Copilot CLI";
    /// Qwen Code.
    Qwen = "qwen", "Qwen Code";
    /// OpenCode, through the plugin file we write.
    OpenCode = "opencode", "OpenCode";
    /// The agent built into VS Code.
    VsCode = "vscode", "VS Code";
    /// Cursor.
    Cursor = "cursor", "Cursor";
    /// Windsurf, also called Cascade.
    Windsurf = "windsurf", "Windsurf";
    /// Cline.
    Cline = "cline", "Cline";
    /// Factory's Droid.
    Droid = "droid", "Factory Droid";
    /// Kiro.
    Kiro = "kiro", "Kiro";
    /// Goose.
    Goose = "goose", "Goose";
    /// Amp.
    Amp = "amp", "Amp";
    /// A harness of one's own that speaks our JSON.
    Generic = "generic", "a harness of your own";
}

impl Agent {
    /// Reads an agent from its word; a few other spellings people type are understood.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let known = Self::ALL.iter().copied().find(|it| it.word() == word);
        known.or(match word {
            "claude" => Some(Self::ClaudeCode),
            "gemini-cli" => Some(Self::Gemini),
            "qwen-code" => Some(Self::Qwen),
            "copilot-cli" => Some(Self::Copilot),
            "vs-code" | "code" => Some(Self::VsCode),
            "cascade" => Some(Self::Windsurf),
            "factory" => Some(Self::Droid),
            _ => None,
        })
    }

    /// Tells whether the real client was run here against this adapter.
    #[must_use]
    pub const fn was_run(self) -> bool {
        match self {
            Self::ClaudeCode
            | Self::Codex
            | Self::Gemini
            | Self::Copilot
            | Self::Qwen
            | Self::OpenCode
            | Self::Generic => true,
            Self::VsCode
            | Self::Cursor
            | Self::Windsurf
            | Self::Cline
            | Self::Droid
            | Self::Kiro
            | Self::Goose
            | Self::Amp => false,
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
