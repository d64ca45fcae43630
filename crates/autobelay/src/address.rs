//! Paths that are written as addresses: `file:///etc/hosts`. Editors resolve them.

use belay_places::Address;

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
    // Some hosts take blanks at the ends away, and find another file.
    if text.trim() != text {
        return Named::Strange("a path begins or ends with a blank");
    }
    match belay_places::address_in(text) {
        // A name with a colon in it.
        None => Named::Path,
        Some(Address::File(path)) => Named::Address(path),
        Some(Address::Unplaced | Address::Other { .. }) => {
            Named::Strange("a path is an address that cannot be read")
        }
        Some(Address::Pathless) => Named::Strange("a path is an address without a file"),
    }
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
            " /home/dev/.bashrc",
            ".mcp.json\n",
            "vscode-remote://ssh/home/x",
            "file:x",
            "file:///a%zz",
            "file:///a%00",
        ] {
            assert!(matches!(path_in(text), Named::Strange(_)), "{text}");
        }
    }
}
