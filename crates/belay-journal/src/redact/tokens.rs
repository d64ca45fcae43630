//! Secrets that can be told by their own form.

use std::ops::Range;

/// How tokens of well-known issuers begin, and how many characters follow at least.
const FORMS: [(&str, usize); 44] = [
    ("sk-", 16),
    ("sk_live_", 10),
    ("sk_test_", 10),
    ("rk_live_", 10),
    ("whsec_", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("gldt-", 16),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 16),
    ("npm_", 30),
    ("pypi-", 30),
    ("hf_", 20),
    ("gsk_", 20),
    ("xai-", 20),
    ("nvapi-", 20),
    ("pplx-", 20),
    ("r8_", 30),
    ("SG.", 30),
    ("dop_v1_", 30),
    ("shpat_", 20),
    ("lin_api_", 20),
    ("ntn_", 20),
    ("figd_", 20),
    ("hvs.", 20),
    ("tskey-", 16),
    ("dapi", 32),
    ("PMAK-", 20),
    ("sq0csp-", 20),
    ("AGE-SECRET-KEY-1", 20),
    ("eyJ", 30),
];

/// No token is shorter, its beginning included.
const SHORTEST: usize = 15;

/// Finds blocks of private keys; one without an end reaches to the end of the text.
pub fn find_private_keys(text: &str, found: &mut Vec<Range<usize>>) {
    const BEGIN: &str = "-----BEGIN ";
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

/// Finds tokens by their beginning, where a word begins.
pub fn find_tokens(text: &str, found: &mut Vec<Range<usize>>) {
    let mut in_word = false;
    for (at, byte) in text.bytes().enumerate() {
        let part = is_part(byte) && byte != b'.';
        if part && !in_word {
            found.extend(token_at(text, at));
        }
        in_word = part;
    }
}

fn token_at(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let length = rest.bytes().take_while(|byte| is_part(*byte)).count();
    if length < SHORTEST {
        return None;
    }
    let (begin, least) = FORMS.iter().find(|(begin, _)| rest.starts_with(begin))?;
    (length >= begin.len() + least).then_some(at..at + length)
}

const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_is_shorter_than_the_shortest() {
        assert!(
            FORMS
                .iter()
                .all(|(begin, least)| begin.len() + least >= SHORTEST)
        );
    }
}
