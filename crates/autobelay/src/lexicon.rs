//! What the knowledge says of flags, for the user's own rules.

use belay_settings::Lexicon;

/// The lexicon of the commands we know.
#[derive(Clone, Copy, Debug, Default)]
pub struct OurLexicon;

impl Lexicon for OurLexicon {
    fn canonical(&self, path: &[&str], flag: &str) -> Option<String> {
        belay_settings::command::Plain.canonical(path, flag)
    }

    fn takes_value(&self, path: &[&str], flag: &str) -> bool {
        belay_settings::command::Plain.takes_value(path, flag)
    }

    fn knows(&self, program: &str) -> bool {
        belay_knowledge::find(program).is_some() || belay_knowledge::builtin(program).is_some()
    }
}
