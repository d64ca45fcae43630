//! Paths that are written as addresses: `file:///etc/hosts`. Editors resolve them.

/// What stands where a path is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// A path.
    Path,
    /// An address, which names this path for those who resolve it.
    Address(String),
    /// Something that cannot be a path: why.
    Strange(&'static str),
}

/// Looks at a text that should be a path.
pub(crate) fn path_in(text: &str) -> Named {
    if text.is_empty() {
        return Named::Strange("a path is empty");
    }
    if text.contains('\0') {
        return Named::Strange("a path holds a null byte");
    }
    let Some((scheme, rest)) = text.split_once(':') else {
        return Named::Path;
    };
    let letters = |it: u8| it.is_ascii_alphanumeric() || b"+.-".contains(&it);
    let named = scheme.len() > 1
        && scheme.bytes().all(letters)
        && scheme.starts_with(|it: char| it.is_ascii_alphabetic());
    if !named {
        return Named::Path;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.find('/').and_then(|at| rest.get(at..)),
        None => Some(rest).filter(|it| it.starts_with('/')),
    };
    match (path.map(decoded), scheme.eq_ignore_ascii_case("file")) {
        (Some(Some(path)), true) => Named::Address(path),
        (Some(_), _) => Named::Strange("a path is an address that cannot be read"),
        (None, true) => Named::Strange("a path is an address without a file"),
        // A name with a colon in it.
        (None, false) => Named::Path,
    }
}

/// Replaces `%2e` and its like.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'?' || byte == b'#' {
            break;
        }
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |it: Option<u8>| char::from(it?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths() {
        let check = |text: &str, wanted: &str| {
            assert_eq!(path_in(text), Named::Address(wanted.to_owned()), "{text}");
        };
        check("file:///home/dev/.bashrc", "/home/dev/.bashrc");
        check("FILE:/home/dev/.bashrc", "/home/dev/.bashrc");
        check("file://localhost/etc/hosts", "/etc/hosts");
        check("file:///home/%2e%2e/etc/hosts?x#y", "/home/../etc/hosts");
    }

    #[test]
    fn what_is_no_address_is_a_path() {
        for text in [
            "a.rs",
            "/a/b",
            "~/x",
            "a:b",
            "notes: today.md",
            "C:/x",
            "src/a:1",
        ] {
            assert_eq!(path_in(text), Named::Path, "{text}");
        }
        for text in [
            "",
            "a\0b",
            "vscode-remote://ssh/home/x",
            "file:x",
            "file:///a%zz",
            "file:///a%00",
        ] {
            assert!(matches!(path_in(text), Named::Strange(_)), "{text}");
        }
    }
}
