//! Functions that nothing was seen to call.
//!
//! Much may call a function that the walk does not follow. What such a function plainly does, by a name that leads away
//! from where the program works, is told as if it were called; nothing else of it is.

use super::arguments::Arguments;
use super::value::{Own, Value};
use super::walk::Walker;
use crate::Doing;

/// So many functions are looked at.
const MOST: usize = 200;

impl Walker {
    /// Notes a function of the program.
    pub(super) fn defines(&mut self, own: &Own) {
        if !self.defined.contains(own) {
            self.defined.push(own.clone());
        }
    }

    /// Walks the functions that were not walked yet, and keeps what they plainly do elsewhere.
    pub(super) fn uncalled(&mut self) {
        let before = (
            self.packages.clone(),
            self.imports.clone(),
            self.exports.clone(),
        );
        let from = self.out.len();
        let mut at = 0;
        while let Some(own) = self.defined.get(at).cloned().filter(|_| at < MOST) {
            at += 1;
            if self.walked.contains(&own.function.at) || !self.has_time() {
                continue;
            }
            let given = Arguments {
                more: Some(Value::inert()),
                ..Arguments::default()
            };
            self.invoke(&own, &given);
        }
        let found = self.out.split_off(from);
        self.out.extend(found.into_iter().filter(does_elsewhere));
        (self.packages, self.imports, self.exports) = before;
    }
}

/// Tells whether something is done to a place that is known and lies elsewhere, or a known text is run.
fn does_elsewhere(doing: &Doing) -> bool {
    match doing {
        Doing::Write(Some(path))
        | Doing::Unpack(Some(path))
        | Doing::Spill(Some(path))
        | Doing::Delete(Some(path), _) => {
            let leads_away = path.starts_with(['/', '~']) || path.split('/').any(|it| it == "..");
            leads_away && !path.contains([crate::ANYTHING, crate::WITHIN])
        }
        Doing::Run(Some(text)) => !text.contains([crate::ANYTHING, crate::WITHIN]),
        Doing::Write(None)
        | Doing::Unpack(None)
        | Doing::Spill(None)
        | Doing::Delete(None, _)
        | Doing::Run(None)
        | Doing::Read(_)
        | Doing::Fetch(_)
        | Doing::Send(_)
        | Doing::Variable(_)
        | Doing::Load(_)
        | Doing::Import(_)
        | Doing::Search(_)
        | Doing::Folder(_)
        | Doing::Package { .. }
        | Doing::NodePackage { .. }
        | Doing::Unread { .. }
        | Doing::Secret(_)
        | Doing::Other(..) => false,
    }
}
