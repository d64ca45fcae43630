//! Shows what programs do: programs on standard input, parted by NUL; one line of answers for each.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use std::io::Read as _;

fn main() -> std::io::Result<()> {
    let language = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "python".to_owned());
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    for program in text.split('\0').filter(|it| !it.is_empty()) {
        println!("{:?}", belay_languages::read(&language, program));
    }
    Ok(())
}
