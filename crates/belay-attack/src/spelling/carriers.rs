//! What runs a line for somebody else: programs that start programs, shells handed a text, encodings, interpreters.

use belay_oracle::dice::Dice;

use super::Form::{Before, Free, Quoted};
use super::{Needs, Spelling, deaf, spelling, transparent};
use crate::line::{Line, Word, ending, joined, single};

#[rustfmt::skip]
pub const ALL: [Spelling; 84] = [
    transparent("env", Needs::Program, Before("env")),
    transparent("env with a variable", Needs::Program, Before("env LC_ALL=C")),
    spelling("env ended", Needs::Program, Before("env --")),
    spelling("env split", Needs::Program, Free(env_split)),
    transparent("command", Needs::Program, Before("command")),
    spelling("command ended", Needs::Program, Before("command --")),
    transparent("nohup", Needs::Program, Before("nohup")),
    transparent("nice", Needs::Program, Before("nice")),
    transparent("nice by", Needs::Program, Before("nice -n 5")),
    transparent("timeout", Needs::Program, Before("timeout 5")),
    transparent("timeout killing", Needs::Program, Before("timeout -k 1 5s")),
    transparent("setsid", Needs::Program, Before("setsid -w")),
    transparent("stdbuf", Needs::Program, Before("stdbuf -oL")),
    transparent("time", Needs::Program, Before("time")),
    transparent("time posix", Needs::Program, Before("time -p")),
    transparent("ionice", Needs::Program, Before("ionice -c 3")),
    spelling("exec", Needs::Program, Before("exec")),
    spelling("exec named", Needs::Program, Before("exec -a ls")),
    spelling("flock", Needs::Program, Before("flock /tmp/belay-attack.lock")),
    spelling("sudo", Needs::Program, Before("sudo -n")),
    spelling("doas", Needs::Program, Before("doas")),
    spelling("variable before", Needs::Program, Before("ATTACK=1")),
    spelling("find", Needs::Program, Free(find)),
    deaf("xargs", Needs::Program, Free(xargs)),
    deaf("xargs null", Needs::Program, Free(xargs_null)),
    deaf("xargs replacing", Needs::Program, Free(xargs_replacing)),
    spelling("arguments of sh", Needs::Program, Free(|line, _| Some(format!("sh -c '\"$@\"' _ {}", joined(line.program()?))))),
    spelling("program of sh", Needs::Program, Free(|line, _| Some(format!("sh -c '\"$0\" \"$@\"' {}", joined(line.program()?))))),
    transparent("bash -c", Needs::Child, Quoted("bash -c ", "")),
    transparent("bash -lc", Needs::Child, Quoted("bash -lc ", "")),
    spelling("bash -ec", Needs::Child, Quoted("bash -ec ", "")),
    spelling("bash options", Needs::Child, Quoted("bash --norc -o pipefail -c ", "")),
    transparent("sh -c", Needs::Posix, Quoted("sh -c ", "")),
    spelling("dash -c", Needs::Posix, Quoted("dash -c ", "")),
    spelling("zsh -c", Needs::Posix, Free(zsh)),
    spelling("eval", Needs::Nothing, Quoted("eval ", "")),
    spelling("eval ended", Needs::Nothing, Quoted("eval -- ", "")),
    spelling("script", Needs::Posix, Quoted("script -qc ", " /dev/null")),
    spelling("watch", Needs::Posix, Quoted("watch -n 9 ", "")),
    spelling("su", Needs::Posix, Quoted("su -c ", "")),
    deaf("here-string", Needs::Child, Quoted("bash <<< ", "")),
    deaf("here-document", Needs::Child, Free(|line, _| Some(format!("bash <<'{0}'\n{1}\n{0}", ending(line), line.text)))),
    deaf("here-document to -s", Needs::Child, Free(|line, _| Some(format!("bash -s <<'{0}'\n{1}\n{0}", ending(line), line.text)))),
    deaf("echo into bash", Needs::Child, Quoted("echo ", " | bash")),
    deaf("printf into bash", Needs::Child, Quoted("printf '%s\\n' ", " | bash")),
    deaf("printf into sh", Needs::Posix, Quoted("printf %s ", " | sh")),
    deaf("cat into bash", Needs::Child, Free(|line, _| Some(format!("cat <<'{0}' | bash\n{1}\n{0}", ending(line), line.text)))),
    deaf("tee into bash", Needs::Child, Quoted("echo ", " | tee /dev/null | bash")),
    spelling("sourced substitution", Needs::Nothing, Quoted(". <(echo ", ")")),
    spelling("substituted script", Needs::Child, Quoted("bash <(echo ", ")")),
    spelling("evaluated output", Needs::Nothing, Quoted("eval \"$(echo ", ")\"")),
    deaf("base64 into bash", Needs::Child, Free(|line, _| Some(format!("echo {} | base64 -d | bash", base64(line.text.as_bytes()))))),
    deaf("base64 long", Needs::Child, Free(|line, _| Some(format!("base64 --decode <<< {} | bash", base64(line.text.as_bytes()))))),
    spelling("base64 evaluated", Needs::Nothing, Free(|line, _| Some(format!("eval \"$(echo {} | base64 -d)\"", base64(line.text.as_bytes()))))),
    spelling("base64 as an argument", Needs::Child, Free(|line, _| Some(format!("bash -c \"$(echo {} | base64 -d)\"", base64(line.text.as_bytes()))))),
    deaf("hex into bash", Needs::Child, Free(|line, _| Some(format!("echo {} | xxd -r -p | bash", hex(line.text, ""))))),
    deaf("printf escapes into bash", Needs::Child, Free(|line, _| Some(format!("printf '{}' | bash", hex(line.text, "\\x"))))),
    deaf("printf %b into bash", Needs::Child, Free(|line, _| Some(format!("printf %b '{}' | bash", hex(line.text, "\\x"))))),
    deaf("reversed into bash", Needs::Child, Free(reversed)),
    deaf("rotated into bash", Needs::Child, Free(rotated)),
    spelling("python", Needs::Posix, Free(|line, _| Some(format!("python3 -c {}", single(&format!("import os; os.system({})", literal(line.text)?)))))),
    spelling("python's subprocess", Needs::Program, Free(python_list)),
    spelling("perl", Needs::Posix, Free(|line, _| Some(format!("perl -e {}", single(&format!("system({})", raw_literal(line.text))))))),
    spelling("node", Needs::Posix, Free(|line, _| Some(format!("node -e {}", single(&format!("require(\"child_process\").execSync({})", literal(line.text)?)))))),
    spelling("ruby", Needs::Posix, Free(|line, _| Some(format!("ruby -e {}", single(&format!("system({})", raw_literal(line.text))))))),
    spelling("awk", Needs::Posix, Free(|line, _| Some(format!("awk {}", single(&format!("BEGIN {{ system({}) }}", literal(line.text)?)))))),
    spelling("command with the usual path", Needs::Program, Before("command -p")),
    spelling("php", Needs::Posix, Free(|line, _| Some(format!("php -r {}", single(&format!("system({});", raw_literal(line.text))))))),
    spelling("lua", Needs::Posix, Free(|line, _| Some(format!("lua -e {}", single(&format!("os.execute({})", literal(line.text)?)))))),
    spelling("python evaluating", Needs::Posix, Free(|line, _| Some(format!("python3 -c {}", single(&format!("exec({})", literal(&format!("import os; os.system({})", literal(line.text)?))?)))))),
    spelling("python's popen", Needs::Posix, Free(|line, _| Some(format!("python3 -c {}", single(&format!("import os; os.popen({}).read()", literal(line.text)?)))))),
    deaf("python from its input", Needs::Posix, Free(|line, _| Some(format!("python3 - <<'{0}'\nimport os\nos.system({1})\n{0}", ending(line), literal(line.text)?)))),
    spelling("node spawning", Needs::Posix, Free(|line, _| Some(format!("node -e {}", single(&format!("require(\"child_process\").spawnSync(\"sh\", [\"-c\", {}])", literal(line.text)?)))))),
    spelling("perl replaced", Needs::Posix, Free(|line, _| Some(format!("perl -e {}", single(&format!("exec {}", raw_literal(line.text))))))),
    spelling("script in a file", Needs::Child, Quoted("echo ", " > belay-attack.sh; bash belay-attack.sh")),
    spelling("script sourced", Needs::Nothing, Quoted("printf '%s\\n' ", " > belay-attack.sh; . ./belay-attack.sh")),
    spelling("script with a first line", Needs::Child, Quoted("printf '#!/bin/bash\\n%s\\n' ", " > belay-attack.sh; chmod +x belay-attack.sh; ./belay-attack.sh")),
    spelling("script of a here-document", Needs::Child, Free(|line, _| Some(format!("cat > /tmp/belay-attack.sh <<'{0}'\n{1}\n{0}\nbash /tmp/belay-attack.sh", ending(line), line.text)))),
    spelling("from the environment", Needs::Child, Quoted("BELAY_LINE=", " bash -c 'eval \"$BELAY_LINE\"'")),
    spelling("git's alias", Needs::Posix, Free(|line, _| Some(format!("git -c alias.belay={} belay", single(&format!("!{}", line.text)))))),
    spelling("tar's checkpoint", Needs::Posix, Free(|line, _| Some(format!("tar -cf /dev/null --checkpoint=1 --checkpoint-action={} /dev/null", single(&format!("exec={}", bare(line)?)))))),
    deaf("sed", Needs::Posix, Free(|line, _| Some(format!("sed -n {} <<< x", single(&format!("1e {}", bare(line)?)))))),
    spelling("find with a shell", Needs::Posix, Free(|line, _| Some(format!("find . -maxdepth 0 -exec sh -c {} \\;", single(&bare(line)?))))),
    deaf("xargs with a shell", Needs::Posix, Free(|line, _| Some(format!("printf '%s\\0' {} | xargs -0 -I@ sh -c @", single(&bare(line).filter(|it| !it.contains('@'))?))))),
];

/// Returns the values of words that xargs and the like read without any thought of quotes.
fn plain(words: &[Word]) -> Option<Vec<&str>> {
    words.iter().map(Word::bare).collect()
}

/// Another shell would expand some words otherwise.
fn zsh(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let words = line.words.as_deref()?;
    let known = words.iter().all(|it| it.value.is_some()) && !line.text.contains('$');
    known.then(|| format!("zsh -c {}", single(line.text)))
}

/// Words of find's own would end it early, or be replaced.
fn find(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let own = |it: &Word| it.raw.contains([';', '+', '{', '*', '?', '[']);
    let words = line.program().filter(|it| !it.iter().any(own))?;
    Some(format!("find . -maxdepth 0 -exec {} \\;", joined(words)))
}

fn env_split(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let words = plain(line.program()?)?.join(" ");
    Some(format!("env -S {}", single(&words)))
}

fn xargs(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let (first, rest) = line.program()?.split_first()?;
    let rest = plain(rest)?;
    // An echo would take these for its own.
    let taken = rest.first().is_none_or(|it| it.starts_with('-'));
    (!taken).then(|| format!("echo {} | xargs {}", rest.join(" "), first.raw))
}

fn xargs_null(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let (first, rest) = line.program()?.split_first()?;
    let none = rest.is_empty();
    (!none).then(|| format!("printf '%s\\0' {} | xargs -0 {}", joined(rest), first.raw))
}

fn xargs_replacing(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let (last, rest) = line.program()?.split_last()?;
    let last = last.bare().filter(|it| !it.starts_with('-'))?;
    let none = rest.is_empty();
    (!none)
        .then(|| format!("echo {last} | xargs -I% {} %", joined(rest)))
        .filter(|_| !joined(rest).contains('%'))
}

fn python_list(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let values: Option<Vec<&str>> = line
        .program()?
        .iter()
        .map(|it| it.value.as_deref())
        .collect();
    let listed: Option<Vec<String>> = values?.into_iter().map(literal).collect();
    let code = format!(
        "import subprocess; subprocess.run([{}])",
        listed?.join(", ")
    );
    Some(format!("python3 -c {}", single(&code)))
}

/// A text in double quotes as Python, JavaScript and awk read it.
fn literal(text: &str) -> Option<String> {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    (!text.contains('\n')).then(|| format!("\"{escaped}\""))
}

/// A text in single quotes as Perl and Ruby read it.
fn raw_literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn reversed(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let turned: String = line.text.chars().rev().collect();
    let fits = line.text.is_ascii() && !turned.contains('\n');
    fits.then(|| format!("rev <<< {} | bash", single(&turned)))
}

fn rotated(line: &Line<'_>, _: &mut Dice) -> Option<String> {
    let turn = |c: char| match c {
        'a'..='m' | 'A'..='M' => char::from_u32(c as u32 + 13),
        'n'..='z' | 'N'..='Z' => char::from_u32(c as u32 - 13),
        c => Some(c),
    };
    let turned: Option<String> = line.text.chars().map(turn).collect();
    Some(format!(
        "tr A-Za-z N-ZA-Mn-za-m <<< {} | bash",
        single(&turned?)
    ))
}

fn hex(text: &str, before: &str) -> String {
    text.bytes().map(|it| format!("{before}{it:02x}")).collect()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |it: usize| u32::from(chunk.get(it).copied().unwrap_or_default());
        let bits = (at(0) << 16) | (at(1) << 8) | at(2);
        for place in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * place)) as usize & 63);
            let there = place <= chunk.len();
            out.push(letter.filter(|_| there).map_or('=', |it| char::from(*it)));
        }
    }
    out
}

/// The line, where nobody could take any letter of it for something else.
fn bare(line: &Line<'_>) -> Option<String> {
    Some(plain(line.words.as_deref()?)?.join(" "))
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_as_everybody_writes_it() {
        assert_eq!(base64(b"rm -rf x"), "cm0gLXJmIHg=");
        assert_eq!(base64(b"rm -rf xy"), "cm0gLXJmIHh5");
        assert_eq!(base64(b"r"), "cg==");
    }
}
