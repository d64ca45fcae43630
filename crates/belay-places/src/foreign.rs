//! Paths of other systems and other forms, brought to the one form that is judged.

/// What a text is, read as a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A path of this system.
    Ours,
    /// A path in another form; what it means here.
    Means(String),
    /// No path, or one that nobody here can place.
    Nothing,
}

/// Reads the form of a text: drive letters (`C:\x` and `C:/x` are `/c/x`), `%USERPROFILE%`, addresses
/// of files, and what is no path at all.
pub(crate) fn form(text: &str, home: &str) -> Form {
    // Only these can begin another form; nearly every path ends the question here. Looking at all letters is faster than
    // stopping at one.
    let odd = |it: u8| (it == b':') | (it == b'%') | (it == b'\\') | (it == 0);
    if !text.is_empty() && !text.bytes().fold(false, |sum, it| sum | odd(it)) {
        return Form::Ours;
    }
    if text.is_empty() || text.contains('\0') {
        return Form::Nothing;
    }
    drive(text)
        .or_else(|| variable(text, home))
        .or_else(|| address(text))
        .unwrap_or(Form::Ours)
}

/// Reads `C:\x`, `C:/x` and `\\host\share`.
fn drive(text: &str) -> Option<Form> {
    if text.starts_with("\\\\") {
        return Some(Form::Nothing);
    }
    let (letter, rest) = text.split_once(':')?;
    let mut letters = letter.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return None;
    };
    if !letter.is_ascii_alphabetic() || !rest.starts_with(['/', '\\']) {
        return None;
    }
    let letter = letter.to_ascii_lowercase();
    Some(Form::Means(format!("/{letter}{}", rest.replace('\\', "/"))))
}

/// Reads a path that begins with a variable of Windows.
fn variable(text: &str, home: &str) -> Option<Form> {
    let (name, rest) = text.strip_prefix('%')?.split_once('%')?;
    if name.is_empty()
        || !name
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '_')
    {
        return None;
    }
    let rest = rest.replace('\\', "/");
    let below = |folder: &str| Form::Means(format!("{home}{folder}{rest}"));
    Some(match name.to_ascii_uppercase().as_str() {
        "USERPROFILE" | "HOMEPATH" | "HOME" => below(""),
        "APPDATA" => below("/AppData/Roaming"),
        "LOCALAPPDATA" => below("/AppData/Local"),
        "TEMP" | "TMP" => below("/AppData/Local/Temp"),
        _ => Form::Nothing,
    })
}

/// A text that begins with a scheme: `file:///etc/hosts`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// The address of a file of this machine; its path.
    File(String),
    /// The address of a file that nobody here can place: of another machine, or not to be decoded.
    Unplaced,
    /// `file:x`: the scheme, and no path behind it.
    Pathless,
    /// The address of something else.
    Other {
        /// Whether it can be nothing else: slashes follow the scheme, or it is one that editors use.
        sure: bool,
    },
}

/// Reads a text as an address. None where it is none.
#[must_use]
pub fn address_in(text: &str) -> Option<Address> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.'));
    if !is_scheme {
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    if scheme != "file" {
        let opaque = scheme.starts_with("vscode") || scheme == "untitled";
        let sure = rest.starts_with("//") || opaque;
        return (sure || rest.starts_with('/')).then_some(Address::Other { sure });
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => match rest.find('/').map(|at| rest.split_at(at)) {
            Some(("" | "localhost", path)) => path,
            _ => return Some(Address::Unplaced),
        },
        None if rest.starts_with('/') => rest,
        None => return Some(Address::Pathless),
    };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let path = decoded(path).filter(|it| !it.contains('\0'));
    Some(path.map_or(Address::Unplaced, Address::File))
}

/// Reads the address of a file as a path; what is surely another address is no path.
fn address(text: &str) -> Option<Form> {
    match address_in(text)? {
        // `file:///C:/x` holds a drive.
        Address::File(path) => match path.strip_prefix('/').and_then(drive) {
            Some(form) => Some(form),
            None => Some(Form::Means(path)),
        },
        Address::Unplaced | Address::Other { sure: true } => Some(Form::Nothing),
        Address::Pathless | Address::Other { sure: false } => None,
    }
}

/// Reads `%20` as a blank and its like; `None` when that gives no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::{Form, form};

    #[test]
    fn forms() {
        let means = |it: &str| Form::Means(it.to_owned());
        for (text, expected) in [
            ("src/a.rs", Form::Ours),
            ("/etc/x", Form::Ours),
            ("a:b", Form::Ours),
            ("./C:/x", Form::Ours),
            ("100%", Form::Ours),
            ("git:tag", Form::Ours),
            ("back\\slash", Form::Ours),
            (
                r"C:\Users\j\.aws\credentials",
                means("/c/Users/j/.aws/credentials"),
            ),
            ("C:/Users/j", means("/c/Users/j")),
            (r"%USERPROFILE%\.ssh\id_rsa", means("/home/me/.ssh/id_rsa")),
            ("%TEMP%/x", means("/home/me/AppData/Local/Temp/x")),
            ("%ProgramData%/x", Form::Nothing),
            (r"\\host\share\x", Form::Nothing),
            ("file:///home/me/.bashrc", means("/home/me/.bashrc")),
            ("file://localhost/etc/x", means("/etc/x")),
            ("FILE:/etc/a%20b", means("/etc/a b")),
            ("file:///C:/Users/j/x", means("/c/Users/j/x")),
            ("file://evil.test/x", Form::Nothing),
            ("file:///a%00b", Form::Nothing),
            ("vscode-remote://ssh/home/me/x", Form::Nothing),
            ("vscode-userdata:/User/settings.json", Form::Nothing),
            ("untitled:Untitled-1", Form::Nothing),
            ("https://example.com/x", Form::Nothing),
            ("", Form::Nothing),
            ("a\0b", Form::Nothing),
        ] {
            assert_eq!(form(text, "/home/me"), expected, "{text:?}");
        }
    }
}
