//! Single members of JSON settings that are ours, or must be as we need them.

use belay_journal::json;
use belay_model::Value;

use super::jsonc::{self, EditError};
use super::registration::Texts;
use super::way::{Claim, Member};

/// Returns the settings with the members in them.
pub(super) fn with(text: &str, members: &[Member]) -> Result<String, EditError> {
    let mut text = text.to_owned();
    for member in members {
        let there = value(&text, &member.path)?;
        let stays = match member.claim {
            Claim::AnyValue | Claim::IfFree => there.is_some(),
            Claim::Exactly => there.as_ref() == Some(&member.value),
        };
        if !stays {
            text = jsonc::set_member(&text, &member.path, &member.value)?;
        }
    }
    Ok(text)
}

/// Returns the settings without the members that leave with us.
pub(super) fn without(texts: Texts<'_>, members: &[Member]) -> Result<String, EditError> {
    let mut text = texts.now.to_owned();
    for member in members {
        let there = value(&text, &member.path)?;
        let was_there = match texts.before {
            Some(before) => value(before, &member.path)?,
            None => None,
        };
        let leaves = match member.claim {
            Claim::AnyValue => false,
            Claim::IfFree => there.is_some_and(|it| json::compact(&it).contains("belay")),
            Claim::Exactly => was_there.is_none() && there.as_ref() == Some(&member.value),
        };
        if leaves {
            text = jsonc::remove_member(&text, &member.path)?;
        }
    }
    Ok(text)
}

fn value(text: &str, path: &[&str]) -> Result<Option<Value>, EditError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let root = jsonc::parse(text)?;
    let mut node = &root;
    for name in path {
        match jsonc::member(node, name)? {
            Some(found) => node = &found.value,
            None => return Ok(None),
        }
    }
    let text = text.get(node.span.clone()).unwrap_or_default();
    Ok(json::read(text.as_bytes()).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(path: &[&'static str], claim: Claim) -> [Member; 1] {
        [Member {
            path: path.to_vec(),
            value: json::read(br#"{"command":"belay statusline"}"#).unwrap(),
            claim,
        }]
    }

    #[test]
    fn a_member_comes_and_goes_without_a_trace() {
        for text in [
            "{}",
            "{\"a\": 1}",
            "{\n  // why\n  \"a\": 1\n}\n",
            "{\"top\": {\"b\": []}}",
        ] {
            for path in [&["bar"][..], &["top", "bar"]] {
                for claim in [Claim::IfFree, Claim::Exactly] {
                    let there = with(text, &one(path, claim)).unwrap();
                    assert_ne!(there, text);
                    assert_eq!(with(&there, &one(path, claim)).unwrap(), there);
                    let texts = Texts {
                        now: &there,
                        before: Some(text),
                    };
                    let back = without(texts, &one(path, claim)).unwrap();
                    assert_eq!(back, text, "after {there}");
                }
            }
        }
    }

    #[test]
    fn what_others_have_there_is_theirs() {
        let theirs = r#"{"bar": "mine"}"#;
        assert_eq!(with(theirs, &one(&["bar"], Claim::IfFree)).unwrap(), theirs);
        let texts = Texts {
            now: theirs,
            before: None,
        };
        let left = without(texts, &one(&["bar"], Claim::IfFree));
        assert_eq!(left.unwrap(), theirs);
        let set = with(theirs, &one(&["bar"], Claim::Exactly)).unwrap();
        assert!(!set.contains("mine") && set.contains("belay"), "{set}");
    }
}
