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

/// Returns the home folder a path seems to lie in, whoever it belongs to.
pub(crate) fn home_like(path: &str) -> Option<&str> {
    if path == "/root" || path.starts_with("/root/") {
        return Some("/root");
    }
    let rest = path
        .strip_prefix("/home/")
        .or_else(|| path.strip_prefix("/Users/"))?;
    let name = rest.split('/').next().filter(|it| !it.is_empty())?;
    let end = path.len() - rest.len() + name.len();
    path.get(..end)
}
