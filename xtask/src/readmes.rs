//! The README of every published crate, from its description and its first doc comment: said once, shown where crates are listed.

use crate::run::{read, root};
use crate::{Outcome, metadata};

/// Returns the path and text of each.
pub fn pages() -> Outcome<Vec<(String, String)>> {
    let names = metadata::published()?;
    let page = |name: &String| Ok((format!("crates/{name}/README.md"), page(name)?));
    names.iter().map(page).collect()
}

fn page(name: &str) -> Outcome<String> {
    let manifest = read(&format!("crates/{name}/Cargo.toml"))?;
    let about = metadata::line(&manifest, "description")?;
    let library = format!("crates/{name}/src/lib.rs");
    let is_library = root().join(&library).is_file();
    let source = if is_library {
        read(&library)?
    } else {
        read(&format!("crates/{name}/src/main.rs"))?
    };
    let repository = metadata::line(&read("Cargo.toml")?, "repository")?;
    let kind = if is_library {
        format!(
            "A part of [Autobelay]({repository}). Its version moves with the program's; what is stable is said in [stability]({repository}/blob/main/docs/reference/stability.md)."
        )
    } else {
        format!(
            "Installs the program `{}`: `cargo install {name}`. What it does and how to begin is told by [Autobelay]({repository}).",
            program(name)
        )
    };
    let told = told(&source);
    // A doc comment that opens with the description says it once.
    let more = told.strip_prefix(&format!("{about}\n\n")).unwrap_or(&told);
    Ok(format!(
        "# {name}\n\n{about}\n\n{more}\n{kind}\n\nMIT or Apache-2.0, at your choice.\n"
    ))
}

/// Returns the name of the program that a crate installs.
fn program(name: &str) -> &str {
    match name {
        "belay-cli" => "belay",
        other => other,
    }
}

/// Turns a crate's doc comment into Markdown that needs no rustdoc.
fn told(source: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for line in source.lines().map_while(|it| it.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.starts_with("```") {
            inside = !inside;
            text.push_str(if inside { "```rust\n" } else { "```\n" });
        } else {
            text.push_str(&unlinked(line));
            text.push('\n');
        }
    }
    text
}

/// Turns links to items into their names.
fn unlinked(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((name, after)) = after.split_once("`]") else {
            break;
        };
        text.push_str(&format!("{before}`{name}`"));
        let target = after.strip_prefix('(').and_then(|it| it.split_once(')'));
        rest = target.map_or(after, |(_, after)| after);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn code_is_marked_as_rust_and_links_are_words() {
        let source =
            "//! A [`Trouble`], [`a`](b::c), [`.\n//!\n//! ```\n//! let it = 1;\n//! ```\nmod x;\n";
        assert_eq!(
            told(source),
            "A `Trouble`, `a`, [`.\n\n```rust\nlet it = 1;\n```\n"
        );
    }
}
