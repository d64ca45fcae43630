//! Prints the tree of the text on standard input.
#![expect(clippy::print_stdout, reason = "an example that shows a tree")]

use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text)?;
    let tree = belay_shell::parse(&text, belay_shell::Dialect::Bash);
    println!("{tree:#?}");
    Ok(())
}
