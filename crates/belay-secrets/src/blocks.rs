//! Secrets that are whole blocks: private keys, manifests of Kubernetes.

use std::ops::Range;

use crate::glimpse::Glimpse;

/// Finds blocks of private keys; one without an end reaches to the end of the text.
pub(crate) fn find_private_keys(text: &str, glimpse: &Glimpse, found: &mut Vec<Range<usize>>) {
    const BEGIN: &str = "-----BEGIN ";
    if !glimpse.may_hold(BEGIN) {
        return;
    }
    let mut from = 0;
    while let Some(start) = text
        .get(from..)
        .and_then(|it| it.find(BEGIN))
        .map(|it| it + from)
    {
        let after = start + BEGIN.len();
        let label = text
            .get(after..)
            .and_then(|it| it.split("-----").next())
            .unwrap_or_default();
        from = after + label.len();
        if !label.ends_with("PRIVATE KEY") && !label.ends_with("PRIVATE KEY BLOCK") {
            continue;
        }
        let end = format!("-----END {label}-----");
        let rest = text.get(from..).unwrap_or_default();
        let stop = rest
            .find(&end)
            .map_or(text.len(), |it| from + it + end.len());
        found.push(start..stop);
        from = stop;
    }
}

/// Finds the values of a Secret's manifest, whatever their names.
pub(crate) fn find_manifests(text: &str, glimpse: &Glimpse, found: &mut Vec<Range<usize>>) {
    const KIND: &str = "kind: Secret";
    if !glimpse.may_hold(KIND) || !text.contains(KIND) {
        return;
    }
    let mut at = 0;
    let mut inside: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let shown = line.trim();
        if inside.is_some_and(|it| indent <= it && !shown.is_empty()) {
            inside = None;
        }
        if matches!(shown, "data:" | "stringData:") {
            inside = Some(indent);
        } else if inside.is_some()
            && let Some((name, value)) = line.split_once(": ")
        {
            let start = at + name.len() + 2;
            let value = value.trim_end();
            if crate::values::is_value(value) {
                found.push(start..start + value.len());
            }
        }
        at += line.len();
    }
}
