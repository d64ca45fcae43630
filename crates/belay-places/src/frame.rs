use belay_model::Surroundings;

/// Where a call stands: what paths are relative to, and whom to ask about the world.
pub struct Frame<'a> {
    /// The working folder, absolute; empty when not known.
    pub cwd: &'a str,
    /// The user's home folder.
    pub home: Option<&'a str>,
    /// The project's roots.
    pub roots: &'a [String],
    /// Folders for temporary files.
    pub temps: &'a [String],
    /// Hosts the user trusts besides the known ones.
    pub hosts: &'a [String],
    /// Places that belong to the gate besides the known ones: its settings, journal, program.
    pub gate: &'a [String],
    /// Globs of places the user protects besides the known ones.
    pub protected: &'a [String],
    /// The world.
    pub world: &'a dyn Surroundings,
}

impl Frame<'_> {
    /// Returns the home folder, or the likeliest one where nobody said: the one the project lies in.
    #[must_use]
    pub fn home(&self) -> &str {
        self.home.unwrap_or_else(|| {
            let inside = self.roots.first().map_or(self.cwd, String::as_str);
            home_like(inside).unwrap_or("/home/user")
        })
    }
}

/// Returns the home folder a path seems to lie in, whoever it belongs to: `/home/me`, `/Users/me`,
/// `/c/Users/me`, without regard to case.
pub(crate) fn home_like(path: &str) -> Option<&str> {
    if path == "/root" || path.starts_with("/root/") {
        return Some("/root");
    }
    let above = above_homes(path)?;
    let rest = path.get(above..)?;
    let name = rest.split('/').next().filter(|it| !it.is_empty())?;
    path.get(..above + name.len())
}

/// Returns the length of the beginning that people's home folders lie in.
fn above_homes(path: &str) -> Option<usize> {
    let begins = |path: &str, folder: &str| {
        path.get(..folder.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(folder))
    };
    let drive = ["/mnt", "/cygdrive"]
        .into_iter()
        .find_map(|it| path.strip_prefix(it))
        .unwrap_or(path);
    let drive = match drive.as_bytes() {
        [b'/', letter, b'/', ..] if letter.is_ascii_alphabetic() => drive.get(2..)?,
        _ => path,
    };
    ["/home/", "/Users/"]
        .into_iter()
        .find(|it| begins(drive, it))
        .map(|it| path.len() - drive.len() + it.len())
}
