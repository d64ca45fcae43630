//! Code in which only numbers are not known: it is read with two of them in each place.
//!
//! INVARIANT: what is said of such code is the same whatever the numbers are. Where they show in what the code does
//! (a file named by one), or where the text is more than words and numbers, nothing is said.

use belay_languages::{Doing, Language};

use crate::machine::value::{DIGITS, NUMBER, PROCESS, Text, Val};

/// Numbers of other lengths, no letter of which is in both.
const SAMPLES: [&str; 2] = ["7", "236"];

/// Returns what code does in which only numbers are not known.
pub(super) fn read(tongue: Language, code: &Val) -> Option<Vec<Doing>> {
    let Text::Glob(text) = &code.text else {
        return None;
    };
    // Behind another dash, that of a number would begin a comment in some languages.
    let signed = matches!(tongue, Language::Sed | Language::Jq);
    if !signed && text.contains(NUMBER) || !counts(tongue) {
        return None;
    }
    let [one, other] = SAMPLES.map(|it| filled(text, it));
    let one = belay_languages::read(tongue.word(), &one?)?;
    let other = belay_languages::read(tongue.word(), &other?)?;
    (one == other).then_some(one)
}

/// Tells whether numbers name nothing in a language: no descriptor, process or mode.
const fn counts(tongue: Language) -> bool {
    match tongue {
        Language::Awk | Language::Jq | Language::Sed => true,
        Language::Django
        | Language::DuckDb
        | Language::IPython
        | Language::JavaScript
        | Language::Lua
        | Language::Mongo
        | Language::MySql
        | Language::Perl
        | Language::Php
        | Language::PostgreSql
        | Language::Python
        | Language::R
        | Language::Rails
        | Language::Ruby
        | Language::Sql
        | Language::Sqlite
        | Language::Yq => false,
    }
}

/// Puts a number in the place of each that is not known; nothing where something else is not known either.
fn filled(text: &str, number: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let shape = [DIGITS, NUMBER, PROCESS]
            .iter()
            .find_map(|it| rest.strip_prefix(it));
        if let Some(behind) = shape {
            // A digit beside it makes it another number, which is a number too.
            out.push_str(number);
            rest = behind;
            continue;
        }
        let literal = ["[*]", "[?]", "[[]"]
            .iter()
            .find_map(|it| Some((*it, rest.strip_prefix(it)?)));
        match (literal, c) {
            (Some((it, behind)), _) => {
                out.push_str(it.get(1..2)?);
                rest = behind;
            }
            (None, '*' | '?' | '[') => return None,
            (None, c) => {
                out.push(c);
                rest = rest.get(c.len_utf8()..)?;
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tongue: Language, code: &Val, expected: bool) {
        assert_eq!(read(tongue, code).is_some(), expected, "{code:?}");
    }

    fn around(before: &str, number: &Val, after: &str) -> Val {
        Val::known(before).then(number).then(&Val::known(after))
    }

    #[test]
    fn numbers_that_nobody_knows_stand_in_code() {
        let (digits, number) = (Val::digits(), Val::number());
        check(Language::Sed, &around("", &digits, ",+15p"), true);
        check(Language::Sed, &around("5,", &number, "p;s/[a-z]*?//"), true);
        check(Language::Sed, &around("w out", &digits, ""), false);
        check(Language::Awk, &around("NR>=", &digits, "{print}"), true);
        check(
            Language::Awk,
            &around("{print > \"a", &digits, "\"}"),
            false,
        );
        check(Language::Awk, &around("NR==1-", &number, ""), false);
        check(Language::Jq, &around(".[", &number, "]"), true);
        check(Language::Python, &around("print(", &digits, ")"), false);
        check(Language::Sed, &around("", &Val::name(), "p"), false);
        check(Language::Sed, &Val::glob("*p"), false);
    }
}
