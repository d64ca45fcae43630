//! Links that come with commits: which, and where they lie once their files are there.

use belay_knowledge::{Deed, Reading};
use belay_model::{Answer, At, Question};

use crate::machine::links::Linked;
use crate::machine::state::State;
use crate::machine::value::Arg;
use crate::machine::walk::Walker;

/// So many words may name a commit.
const WORDS: usize = 8;

impl Walker<'_> {
    /// Remembers the links that come with the commits that words may name, where they lead out of the repository.
    pub(crate) fn links_of_commits(&mut self, reading: &Reading<'_>, args: &[Arg], state: &State) {
        let Some(cwd) = state.cwd.as_deref().filter(|_| self.at == At::Here) else {
            return;
        };
        // Only sub-commands of a repository's programs name commits.
        if reading.path.len() < 2 {
            return;
        }
        let path = reading.name();
        let knowledge = self.scene.knowledge;
        let brings = reading.deeds.has(Deed::ChecksOut)
            || reading.deeds.has(Deed::Merges)
            || knowledge.lists("brings-commits", &path);
        if !brings {
            return;
        }
        let words = args.iter().skip(1).filter_map(Arg::text);
        let named = words.map(|it| match it.strip_prefix('-') {
            // The branch before.
            Some("") => "@{-1}",
            Some(flag) => flag.split_once('=').map_or("", |(_, value)| value),
            None => it,
        });
        let named: Vec<&str> = named.filter(|it| !it.is_empty()).take(WORDS).collect();
        let mut made: Vec<Linked> = Vec::new();
        for word in &named {
            made.extend(self.links_of_commit(cwd, word));
        }
        if knowledge.lists("checks-out-elsewhere", &path) {
            let elsewhere = self.links_elsewhere(&made, &named, state);
            made.extend(elsewhere);
        }
        made.dedup();
        let at = args.first().map(|it| it.span).unwrap_or_default();
        self.keep_links(made, at, state);
    }

    fn links_of_commit(&self, cwd: &str, revision: &str) -> Vec<Linked> {
        let question = Question::CommitLinks(cwd.to_owned(), revision.to_owned());
        match self.scene.frame.world.ask(&question) {
            Answer::Names(links) => {
                let pairs = links.iter().filter_map(|it| it.split_once('\0'));
                let linked = |(from, to): (&str, &str)| Linked {
                    from: from.to_owned(),
                    to: Some(to.to_owned()),
                    sure: false,
                };
                pairs.map(linked).collect()
            }
            // There is too much to look at: any path may lead anywhere.
            Answer::No => vec![Linked::anywhere()],
            Answer::Unknown
            | Answer::Yes
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Vec::new(),
        }
    }

    /// Returns the same links in the folders that words name: one of them is the new working tree.
    fn links_elsewhere(&self, made: &[Linked], words: &[&str], state: &State) -> Vec<Linked> {
        let cwd = state.cwd.clone().unwrap_or_default();
        let Answer::Path(top) = self.scene.frame.world.ask(&Question::TopLevel(cwd)) else {
            return Vec::new();
        };
        let folders: Vec<String> = words
            .iter()
            .filter_map(|it| self.absolute(it, state))
            .collect();
        let below = |link: &Linked, folder: &String| {
            let rest = link.from.strip_prefix(&top)?;
            let from = format!("{folder}{rest}");
            Some(Linked {
                from,
                ..link.clone()
            })
        };
        let pairs = made
            .iter()
            .flat_map(|link| folders.iter().map(move |it| (link, it)));
        pairs
            .filter_map(|(link, folder)| below(link, folder))
            .collect()
    }
}
