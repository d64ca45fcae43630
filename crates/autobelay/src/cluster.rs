//! What a yes covers in a cluster: the same words, in the same context as it is set now, on the same resources.

use belay_analysis::Invocation;
use belay_model::{Answer, Effect, Place, Question, Target, Verb};
use belay_places::absolute;
use belay_policy::{CONTEXTS, PRIVILEGES, WORKLOADS};
use belay_surroundings::content_hash;

use crate::consent::Subject;
use crate::words::{self, Words};

/// No description of what runs in a cluster is longer, in bytes.
const LONGEST: u32 = 256 * 1024;

impl Subject<'_> {
    /// The same words in the same folder; what is applied may differ as long as it describes the same resources and
    /// gives them no more rights, and the context must be what it was.
    pub(crate) fn resources(&self) -> Option<Vec<String>> {
        let said = self.words(words::exact)?;
        let [own] = self.chain.as_slice() else {
            return None;
        };
        let context = self.context(own)?;
        let effects = self.case.sight().effects();
        let own = effects.get(own.from..own.to)?;
        let mut applied = Vec::new();
        for effect in own {
            if effect.verb == Verb::Read {
                applied.push(self.described(effect)?);
            } else if effect.verb != Verb::Probe && effect != self.effect {
                return None;
            }
        }
        Some([said, vec![context], applied].concat())
    }

    /// Says which context the words mean: what the user's files say now, and where there are none the words
    /// themselves must name it.
    fn context(&self, own: &Invocation) -> Option<String> {
        let words = Words::of(own)?;
        let has = |flag: &str| {
            let mut words = words.iter();
            words.any(|it| {
                it.strip_prefix(flag)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
            })
        };
        let known = CONTEXTS.iter().map(|it| self.text_of(it));
        let known: Option<Vec<String>> = known.collect();
        let known = known?.concat();
        match known.is_empty() {
            true if !has("--context") => None,
            _ if has("--kubeconfig") => None,
            _ => Some(content_hash(known.as_bytes())),
        }
    }

    /// Returns what stands in a file of the user; nothing where there is none.
    fn text_of(&self, name: &str) -> Option<String> {
        let frame = &self.case.frame;
        let path = absolute(name, frame.cwd, frame.home())?;
        match frame
            .world
            .ask(&Question::Text(path.text().to_owned(), LONGEST))
        {
            Answer::Text(bytes, true) => String::from_utf8(bytes).ok(),
            Answer::Missing(_) => Some(String::new()),
            Answer::Text(_, false)
            | Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Standing(_) => None,
        }
    }

    /// Says which resources a file describes; where it may describe more than work, its very text.
    fn described(&self, effect: &Effect) -> Option<String> {
        let Target::Place(Place::Exact(name)) = &effect.target else {
            return None;
        };
        let text = self.text_of(name).filter(|it| !it.is_empty())?;
        Some(resources(&text).unwrap_or_else(|| content_hash(text.as_bytes())))
    }
}

/// Returns kinds and names of what a text describes, if it is plain and all of it is work without special rights.
fn resources(text: &str) -> Option<String> {
    // Signs of a notation that we do not read, and letters that end a line there but not here.
    let odd = |it: char| {
        matches!(it, '{' | '}' | '&' | '*' | '!' | '\t' | '"' | '\'' | '\r')
            || matches!(it, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
    };
    if PRIVILEGES.iter().any(|it| text.contains(it)) || text.contains(odd) {
        return None;
    }
    let mut all = Vec::new();
    for part in text.split("\n---") {
        if let Some(line) = resource(part)? {
            all.push(line);
        }
    }
    (!all.is_empty()).then(|| all.join(" "))
}

/// Returns an image without its version.
fn repository(image: &str) -> Option<&str> {
    let image = image.split('@').next()?;
    let start = image.rfind('/').map_or(0, |it| it + 1);
    let name = image.get(start..)?;
    let end = start + name.find(':').unwrap_or(name.len());
    image.get(..end).filter(|it| !it.is_empty())
}

/// Returns one resource; nothing in it where the part of a text says nothing.
fn resource(part: &str) -> Option<Option<String>> {
    let lines = part.lines().map(str::trim_end);
    let lines =
        lines.filter(|it| !it.is_empty() && !it.trim_start().starts_with('#') && *it != "---");
    let (mut kinds, mut names, mut inside) = (Vec::new(), Vec::new(), false);
    let (mut says, mut is_named) = (false, false);
    let mut images = Vec::new();
    for line in lines {
        says = true;
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim();
        // `kind : x` and `? kind` are keys as well.
        let first = key.trim_start();
        if first.ends_with(' ') || first.is_empty() || first.starts_with('?') {
            return None;
        }
        match key {
            "kind" => kinds.push(value),
            "metadata" => inside = true,
            "  name" | "  namespace" if inside => {
                is_named |= key == "  name" && !value.is_empty();
                names.push(value);
            }
            // Another version of an image may run, another image may not.
            _ if first.trim_start_matches(['-', ' ']) == "image" => images.push(repository(value)?),
            _ if !line.starts_with([' ', '-']) => inside = false,
            _ => {}
        }
    }
    match kinds.as_slice() {
        [] if !says => Some(None),
        [kind] if WORKLOADS.contains(kind) && is_named => {
            let parts = [&[*kind], names.as_slice(), images.as_slice()];
            Some(Some(parts.concat().join("/")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::resources;

    #[test]
    fn what_is_applied_is_named_by_kind_and_name() {
        let web = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  replicas: 2\n";
        let more = web.replace("replicas: 2", "replicas: 4");
        assert_eq!(resources(web).as_deref(), Some("Deployment/web/shop"));
        assert_eq!(resources(&more), resources(web));
        let two = format!("{web}---\nkind: Service\nmetadata:\n  name: web\n");
        assert_eq!(
            resources(&two).as_deref(),
            Some("Deployment/web/shop Service/web")
        );
        let image = |it: &str| resources(&format!("{web}  template:\n    - image: {it}\n"));
        assert_eq!(image("shop.test:5000/web:1"), image("shop.test:5000/web:2"));
        assert_ne!(image("shop.test/web:1"), image("evil.test/web:1"));
        for (from, to) in [
            ("Deployment", "ClusterRoleBinding"),
            ("Deployment", "Secret"),
            ("replicas: 2", "hostNetwork: true"),
            ("replicas: 2", "volumes:\n  - hostPath:\n      path: /"),
            ("replicas: 2", "securityContext:\n    privileged: true"),
            ("replicas: 2", "serviceAccountName: admin"),
            ("replicas: 2", "{a: b}"),
            ("kind: Deployment", "kind: Deployment\nkind: Pod"),
            ("kind: Deployment\n", ""),
            ("replicas: 2", "replicas: 2\rkind: Secret"),
            ("spec:", "kind : Secret\nspec:"),
            ("spec:", "? kind\n: Secret\nspec:"),
            ("  name", "    name"),
            ("  name: web\n", ""),
        ] {
            assert_eq!(resources(&web.replace(from, to)), None, "{to}");
        }
        assert_eq!(resources(""), None);
    }
}
