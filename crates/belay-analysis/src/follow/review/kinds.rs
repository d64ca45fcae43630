//! Which files hold text that runs or governs.

/// A kind of file whose text is reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A manifest of packages.
    Package(Manifest),
    /// Settings of a package manager.
    Registries,
    /// A workflow that a forge runs.
    Workflow,
    /// A hook of the repository.
    Hook,
    /// Recipes and tasks.
    Recipes,
    /// The recipe of an image.
    Image,
    /// A script of the shell.
    Shell,
    /// Attributes of files.
    Attributes,
    /// A program that others call by its name.
    Program,
}

/// A manifest of packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manifest {
    Npm,
    Composer,
    Requirements,
    Pyproject,
    Cargo,
    Gem,
    Go,
    Gradle,
}

impl Manifest {
    /// Returns the word that effects have for where its packages come from.
    pub(super) const fn ecosystem(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Composer => "composer",
            Self::Requirements | Self::Pyproject => "pip",
            Self::Cargo => "cargo",
            Self::Gem => "gem",
            Self::Go => "go",
            Self::Gradle => "maven",
        }
    }
}

impl Kind {
    /// Returns the kind of a file by its path.
    pub(super) fn of(path: &str) -> Option<Self> {
        let path = path.to_ascii_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path);
        let inside = |folder: &str| path.contains(folder);
        let ends = |end: &str| name.ends_with(end);
        Some(match name {
            "package.json" => Self::Package(Manifest::Npm),
            "composer.json" => Self::Package(Manifest::Composer),
            "pyproject.toml" | "pipfile" | "setup.cfg" | "uv.toml" => {
                Self::Package(Manifest::Pyproject)
            }
            "cargo.toml" => Self::Package(Manifest::Cargo),
            "gemfile" => Self::Package(Manifest::Gem),
            "go.mod" => Self::Package(Manifest::Go),
            "pom.xml" | "build.sbt" => Self::Package(Manifest::Gradle),
            ".npmrc" | ".yarnrc" | ".yarnrc.yml" | "bunfig.toml" | "pip.conf" | "pip.ini" => {
                Self::Registries
            }
            "makefile" | "gnumakefile" | "justfile" | ".justfile" | "taskfile.yml"
            | "taskfile.yaml" => Self::Recipes,
            ".gitattributes" => Self::Attributes,
            // A program in a language of its own, which is not read here.
            "jenkinsfile" => return None,
            _ if belay_places::is_workflow(&belay_places::Path::new(&path)) => Self::Workflow,
            _ if inside("/.husky/") || inside("/.githooks/") || inside("/.git-hooks/") => {
                Self::Hook
            }
            _ if name.starts_with("requirements") && ends(".txt")
                || name.starts_with("constraints") && ends(".txt") =>
            {
                Self::Package(Manifest::Requirements)
            }
            _ if ends(".gradle") || ends(".gradle.kts") => Self::Package(Manifest::Gradle),
            _ if name.starts_with("dockerfile")
                || name.starts_with("containerfile")
                || ends(".dockerfile") =>
            {
                Self::Image
            }
            _ if ends(".mk") => Self::Recipes,
            _ if inside("/node_modules/.bin/") || inside("venv/bin/") => Self::Program,
            _ if ends(".sh") || ends(".bash") || ends(".zsh") => Self::Shell,
            _ => return None,
        })
    }

    /// Tells whether the review sees everything in such a file that can run or govern. A hook and a package manager's
    /// settings govern whatever stands in them.
    pub(super) const fn is_read_whole(self) -> bool {
        match self {
            Self::Workflow | Self::Attributes => true,
            Self::Package(_)
            | Self::Registries
            | Self::Hook
            | Self::Recipes
            | Self::Image
            | Self::Shell
            | Self::Program => false,
        }
    }
}
