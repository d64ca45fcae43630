//! The one place that asks the analysis: what it says a text would do.

use std::sync::OnceLock;

use belay_analysis::Scene;
use belay_knowledge::Knowledge;
use belay_model::{Effect, Nowhere, Span, Trouble};
use belay_places::Frame;

use crate::Shell;
use crate::world::{HOME, PROJECT};

/// What the analysis says of a text.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    /// The effects.
    pub effects: Vec<Effect>,
    /// What it could not read or know.
    pub troubles: Vec<Trouble>,
}

/// The stubs, described as commands are.
const STUBS: [(&str, &str); 5] = [
    (
        "commands/rid.toml",
        include_str!("../knowledge/commands/rid.toml"),
    ),
    (
        "commands/put.toml",
        include_str!("../knowledge/commands/put.toml"),
    ),
    (
        "commands/run.toml",
        include_str!("../knowledge/commands/run.toml"),
    ),
    (
        "commands/tell.toml",
        include_str!("../knowledge/commands/tell.toml"),
    ),
    (
        "commands/show.toml",
        include_str!("../knowledge/commands/show.toml"),
    ),
];

/// Returns what is known, the stubs too.
fn knowledge() -> &'static Knowledge {
    static KNOWLEDGE: OnceLock<Knowledge> = OnceLock::new();
    KNOWLEDGE.get_or_init(|| Knowledge::load_texts(&STUBS).unwrap_or_default())
}

/// Makes sure that the analysis knows the stubs.
///
/// # Errors
/// When it does not: then no prediction means anything.
pub fn check() -> Result<(), String> {
    let loaded = Knowledge::load_texts(&STUBS);
    loaded.map(|_| ()).map_err(|why| why.to_string())
}

/// Says what a text would do, with nothing known of the world but where home and project are.
#[must_use]
pub fn predict(text: &str, shell: Shell) -> Prediction {
    let roots = [PROJECT.to_owned()];
    let frame = Frame {
        cwd: PROJECT,
        home: Some(HOME),
        roots: &roots,
        temps: &[],
        hosts: &[],
        gate: &[],
        protected: &[],
        world: &Nowhere,
    };
    let scene = Scene {
        frame: &frame,
        shell: match shell {
            Shell::Bash => belay_analysis::Shell::Bash,
            Shell::Sh => belay_analysis::Shell::Sh,
            Shell::Zsh => belay_analysis::Shell::Zsh,
        },
        knowledge: knowledge(),
    };
    let analysis = belay_analysis::analyse(text, scene);
    Prediction {
        effects: analysis.effects,
        troubles: analysis.troubles,
    }
}

/// Tells whether a span is so coarse that it stands for the whole text.
pub(crate) const fn is_coarse(span: Span) -> bool {
    span.start >= span.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stubs_are_known() {
        assert_eq!(check(), Ok(()));
        let effects = predict("rid 1 a; put 2 b; run 3 'show 4 c'", Shell::Bash).effects;
        let shown: Vec<String> = effects.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["delete ./a", "write ./b", "read ./c"]);
    }
}
