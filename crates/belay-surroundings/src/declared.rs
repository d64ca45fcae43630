//! Whether a project's own manifests name a package. A manifest that cannot be read declares nothing.

use std::path::Path;

use belay_model::Answer;

use crate::look::{self, Gap};

/// How many folders up a manifest may lie.
const FOLDERS: usize = 8;

/// A package of an ecosystem.
#[derive(Clone, Copy)]
pub struct Package<'a> {
    pub ecosystem: &'a str,
    pub name: &'a str,
}

/// Reads a manifest: what counts is what it said before the session wrote it.
pub type Reads<'a> = &'a dyn Fn(&Path) -> Result<String, Gap>;

/// Returns the registry that an ecosystem's packages come from by default.
pub(crate) fn registry_of(ecosystem: &str) -> &'static str {
    let registry = belay_knowledge::OURS.said("registries-of", ecosystem);
    registry.unwrap_or_default()
}

/// Says whether the project of a folder declares a package; unknown when it has no manifest of that
/// kind at all.
pub fn declared(folder: &Path, package: Package<'_>, reads: Reads<'_>) -> Answer {
    let registry = registry_of(package.ecosystem);
    let (Some(manifests), Some(name)) = (manifests(registry), bare_name(registry, package.name))
    else {
        return Answer::Unknown;
    };
    let mut seen = false;
    for folder in folder.ancestors().take(FOLDERS) {
        for manifest in manifests {
            match manifest.names(folder, &name, reads) {
                Ok(true) => return Answer::Yes,
                Ok(false) => seen = true,
                Err(Gap::Absent) => {}
                Err(Gap::Closed) => return Answer::Unknown,
            }
        }
        if folder.join(".git").symlink_metadata().is_ok() {
            break;
        }
    }
    if seen { Answer::No } else { Answer::Unknown }
}

/// A file that names packages, and how it does.
struct Manifest {
    file: &'static str,
    notation: Notation,
}

/// How packages are named in a manifest.
#[derive(Clone, Copy)]
pub(crate) enum Notation {
    /// As members of these members of a JSON object.
    Json(&'static [&'static str]),
    /// As keys or strings in the tables of TOML whose name ends so.
    Toml(&'static [&'static str]),
    /// As `name = "..."` in a lock file.
    LockedToml,
    /// At the beginning of a line, as Python's installers read it.
    Requirements,
    /// As a word of a line.
    Words,
    /// As `gem "..."`.
    Gems,
    /// At the beginning of a line or entry, before `@`.
    Lock,
    /// As the beginning of a string in a program.
    Strings,
    /// As a file in the folder.
    Folder,
}

const fn manifest(file: &'static str, notation: Notation) -> Manifest {
    Manifest { file, notation }
}

const NPM: &[Manifest] = &[
    manifest(
        "package.json",
        Notation::Json(&[
            "dependencies",
            "devDependencies",
            "optionalDependencies",
            "peerDependencies",
        ]),
    ),
    manifest(
        "package-lock.json",
        Notation::Json(&["packages", "dependencies"]),
    ),
    manifest("yarn.lock", Notation::Lock),
    manifest("pnpm-lock.yaml", Notation::Lock),
    manifest("bun.lock", Notation::Json(&["packages"])),
];
const NPM_PROGRAMS: &[Manifest] = &[manifest("node_modules/.bin", Notation::Folder)];
const PYPI: &[Manifest] = &[
    manifest(
        "pyproject.toml",
        Notation::Toml(&[
            "project",
            "dependencies",
            "dependency-groups",
            "dev-dependencies",
        ]),
    ),
    manifest("requirements.txt", Notation::Requirements),
    manifest("requirements-dev.txt", Notation::Requirements),
    manifest("requirements-test.txt", Notation::Requirements),
    manifest("dev-requirements.txt", Notation::Requirements),
    manifest("test-requirements.txt", Notation::Requirements),
    manifest("requirements/base.txt", Notation::Requirements),
    manifest("requirements/dev.txt", Notation::Requirements),
    manifest("requirements/test.txt", Notation::Requirements),
    manifest("Pipfile", Notation::Toml(&["packages", "dev-packages"])),
    manifest("uv.lock", Notation::LockedToml),
    manifest("poetry.lock", Notation::LockedToml),
];
const CARGO: &[Manifest] = &[
    manifest(
        "Cargo.toml",
        Notation::Toml(&["dependencies", "dev-dependencies", "build-dependencies"]),
    ),
    manifest("Cargo.lock", Notation::LockedToml),
];
const GO: &[Manifest] = &[manifest("go.mod", Notation::Words)];
const RUBY: &[Manifest] = &[
    manifest("Gemfile", Notation::Gems),
    manifest("Gemfile.lock", Notation::Words),
];
const COMPOSER: &[Manifest] = &[manifest(
    "composer.json",
    Notation::Json(&["require", "require-dev"]),
)];

/// Returns how a registry's packages are named in a file; nothing where it is no manifest of them.
pub(crate) fn notation_of(registry: &str, path: &Path) -> Option<Notation> {
    let manifests = manifests(registry)?;
    if let Some(found) = manifests.iter().find(|it| path.ends_with(it.file)) {
        return Some(found.notation);
    }
    let text = path.to_str().filter(|_| registry == "pypi")?;
    let (rest, name) = text.rsplit_once('/').unwrap_or(("", text));
    let lists = name.ends_with(".txt") || name.ends_with(".in");
    match name {
        "setup.py" => Some(Notation::Strings),
        "setup.cfg" => Some(Notation::Requirements),
        _ if lists && (name.contains("require") || rest.ends_with("/requirements")) => {
            Some(Notation::Requirements)
        }
        _ => None,
    }
}

/// Returns the files that name a registry's packages.
pub(crate) fn manifest_files(registry: &str) -> impl Iterator<Item = &'static str> {
    let manifests = manifests(registry).unwrap_or_default();
    manifests.iter().map(|it| it.file)
}

/// The registries whose packages manifests name.
pub(crate) const REGISTRIES: [&str; 6] =
    ["npmjs", "pypi", "crates", "golang", "rubygems", "packagist"];

fn manifests(registry: &str) -> Option<&'static [Manifest]> {
    Some(match registry {
        "npmjs" => NPM,
        "npmjs-programs" => NPM_PROGRAMS,
        "pypi" => PYPI,
        "crates" => CARGO,
        "golang" => GO,
        "rubygems" => RUBY,
        "packagist" => COMPOSER,
        _ => return None,
    })
}

/// Returns the name without what asks for a version or part of it; nothing when what follows the name
/// says where to get it from, for then the manifest has not declared it.
fn bare_name(registry: &str, name: &str) -> Option<String> {
    let is_python = registry == "pypi";
    let end = match registry {
        _ if is_python => name.find(|it: char| "[<>=!~;@ ".contains(it)),
        "packagist" => name.find(':'),
        // The first letter may be the `@` of a scope.
        _ => name
            .char_indices()
            .skip(1)
            .find(|(_, it)| *it == '@')
            .map(|(at, _)| at),
    };
    let (name, asked) = name.split_at_checked(end.unwrap_or(name.len()))?;
    let elsewhere = asked.chars().skip(1).any(|it| "/:@".contains(it));
    let bare = if is_python {
        python_name(name)
    } else {
        name.to_owned()
    };
    (!elsewhere).then_some(bare)
}

/// Returns a word of a manifest as the name that a registry knows.
pub(crate) fn name_in(registry: &str, word: &str) -> Option<String> {
    bare_name(registry, word).filter(|it| !it.is_empty())
}

/// Python takes `-`, `_` and `.` for one another, and letters of both cases.
fn python_name(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}

impl Manifest {
    fn names(&self, folder: &Path, name: &str, reads: Reads<'_>) -> Result<bool, Gap> {
        let path = folder.join(self.file);
        if let Notation::Folder = self.notation {
            return folder_names(&path, name);
        }
        Ok(self.notation.names(&reads(&path)?, name))
    }
}

impl Notation {
    /// Tells whether a text in this notation names a package.
    pub(crate) fn names(self, text: &str, name: &str) -> bool {
        let mut lines = text.lines();
        match self {
            Self::Json(members) => json_names(text, members, name),
            Self::Toml(tables) => toml_names(text, tables, name),
            Self::LockedToml => {
                lines.any(|it| toml_value(it, "name").is_some_and(|it| same(it, name)))
            }
            Self::Requirements => lines.any(|it| requires(it, name)),
            Self::Words => lines.any(|it| it.split_whitespace().any(|word| word == name)),
            Self::Gems => lines.any(|it| gem(it) == Some(name)),
            Self::Lock => lines.any(|it| locks(it, name)),
            Self::Strings => lines.any(|it| quotes(it, name)),
            Self::Folder => false,
        }
    }
}

fn folder_names(folder: &Path, name: &str) -> Result<bool, Gap> {
    if name.is_empty() || name.contains('/') || !look::is_folder(folder) {
        return Err(Gap::Absent);
    }
    match look::kind(&folder.join(name)) {
        Ok(_) => Ok(true),
        Err(Gap::Absent) => Ok(false),
        Err(Gap::Closed) => Err(Gap::Closed),
    }
}

fn same(found: &str, name: &str) -> bool {
    found == name || python_name(found) == name
}

/// Tells whether a member of one of these members of the object has that name.
pub(crate) fn json_names(text: &str, members: &[&str], name: &str) -> bool {
    let mut path: Vec<String> = Vec::new();
    let mut last = String::new();
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '"' => last = json_string(&mut rest),
            ':' => {
                let inside =
                    path.len() == 2 && path.last().is_some_and(|it| members.contains(&it.as_str()));
                let found = last
                    .rsplit_once("node_modules/")
                    .map_or(last.as_str(), |(_, it)| it);
                if inside && found == name {
                    return true;
                }
            }
            '{' | '[' => path.push(std::mem::take(&mut last)),
            '}' | ']' => {
                path.pop();
                last.clear();
            }
            ',' => last.clear(),
            _ => {}
        }
    }
    false
}

/// Reads the rest of a string; what is escaped can be part of no name.
fn json_string(rest: &mut std::str::Chars<'_>) -> String {
    let mut text = String::new();
    while let Some(letter) = rest.next() {
        match letter {
            '"' => break,
            '\\' => text.extend(['\\'].into_iter().chain(rest.next())),
            _ => text.push(letter),
        }
    }
    text
}

/// Tells whether a table of that name has the package as a key, in its own name, or as a string.
fn toml_names(text: &str, tables: &[&str], name: &str) -> bool {
    let mut inside = false;
    let mut other_list = false;
    for line in text.lines().map(str::trim) {
        if other_list {
            other_list = !line.ends_with(']');
        } else if let Some(table) = table_name(line) {
            let is_one = |it: &str| {
                it.rsplit('.')
                    .next()
                    .is_some_and(|last| tables.contains(&last))
            };
            let (outer, last) = table.rsplit_once('.').unwrap_or(("", table));
            if is_one(outer) && same(last.trim_matches('"'), name) {
                return true;
            }
            inside = is_one(table) || table.contains("dependencies");
        } else if inside && !line.starts_with('#') {
            let key = toml_key(line);
            other_list = is_metadata(key) && key != "dependencies" && line.ends_with('[');
            let is_key = same(key, name) && line.contains('=') && !is_metadata(key);
            if is_key || quotes(line, name) {
                return true;
            }
        }
    }
    false
}

/// Returns the name of the table that begins here.
fn table_name(line: &str) -> Option<&str> {
    let table = line.starts_with('[') && line.ends_with(']') && !line.contains(['=', ',']);
    table.then(|| line.trim_matches(['[', ']']))
}

fn toml_key(line: &str) -> &str {
    let key = line.split(['=', ' ', '.']).next().unwrap_or_default();
    key.trim_matches('"')
}

/// Keys of a project's own description are no packages.
fn is_metadata(key: &str) -> bool {
    [
        "name",
        "version",
        "description",
        "readme",
        "license",
        "authors",
        "keywords",
        "classifiers",
        "scripts",
        "urls",
        "dependencies",
        "dynamic",
        "maintainers",
        "requires-python",
    ]
    .contains(&key)
}

/// Tells whether a string in the line begins with the package's name, as Python's tools write it.
fn quotes(line: &str, name: &str) -> bool {
    let strings = line.split(['"', '\'']).skip(1).step_by(2);
    let before_value = line.split('=').next().unwrap_or_default().trim();
    let lists = before_value == "dependencies" || !is_metadata(before_value);
    lists && strings.into_iter().any(|it| requires(it, name))
}

fn toml_value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (found, value) = line.split_once('=')?;
    (found.trim() == key).then(|| value.trim().trim_matches('"'))
}

/// Tells whether a requirement is one of that package.
fn requires(line: &str, name: &str) -> bool {
    let line = line.trim();
    let end = line
        .find(|it: char| !it.is_ascii_alphanumeric() && !"-_.".contains(it))
        .unwrap_or(line.len());
    line.get(..end)
        .is_some_and(|it| !it.is_empty() && python_name(it) == name)
}

fn gem(line: &str) -> Option<&str> {
    let rest = line
        .trim()
        .strip_prefix("gem")?
        .trim_start_matches([' ', '(']);
    rest.strip_prefix(['"', '\''])?.split(['"', '\'']).next()
}

/// `left-pad@^1.0.0:`, `"@a/b@^1":`, `/left-pad@1.0.0:`, `left-pad:`.
fn locks(line: &str, name: &str) -> bool {
    let line = line.trim().trim_start_matches(['"', '\'', '/']);
    line.strip_prefix(name)
        .is_some_and(|rest| rest.starts_with('@') || matches!(rest, ":" | "':" | "\":"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use belay_model::Answer;
    use tempfile::TempDir;

    fn ask(file: &str, text: &str, (ecosystem, name): (&str, &str)) -> Answer {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::create_dir_all(folder.path().join("inner/.x")).unwrap();
        fs::create_dir_all(folder.path().join(".git")).unwrap();
        let package = super::Package { ecosystem, name };
        super::declared(&folder.path().join("inner"), package, &crate::look::text)
    }

    #[track_caller]
    fn yes(file: &str, text: &str, package: (&str, &str)) {
        assert_eq!(ask(file, text, package), Answer::Yes);
    }

    #[track_caller]
    fn no(file: &str, text: &str, package: (&str, &str)) {
        assert_eq!(ask(file, text, package), Answer::No);
    }

    const PACKAGE: &str = r#"{"name": "x", "scripts": {"left-pad": "echo {", "y": "\"left-pad\": 1"}, "dependencies": {"@a/b": "^1", "left": {"left-pad": 2}}, "devDependencies": {"jest": "1"}}"#;
    const PYPROJECT: &str = "[project]\nclassifiers = [\n  \"Framework :: X\",\n]\nname = \"numpy\"\ndescription = \"uses scipy\"\ndependencies = [\n  \"requests>=2\",\n  'Flask_Login[x]; python_version > \"3\"',\n]\n[project.optional-dependencies]\ndev = [\"pytest\", \"black\"]\n[tool.poetry.dependencies]\npython = \"^3\"\ndjango = \"^4\"\n[tool.ruff]\nmypy = 1\n";
    const CARGO: &str = "[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\" }\nlibc.workspace = true\n[target.'cfg(unix)'.dependencies]\nnix = \"1\"\n[dev-dependencies.proptest]\nversion = \"1\"\n[features]\nextra = []\n";

    #[test]
    fn a_dependency_of_node() {
        yes("package.json", PACKAGE, ("npm", "jest"))
    }
    #[test]
    fn a_scoped_dependency_with_a_version() {
        yes("package.json", PACKAGE, ("npm", "@a/b@2.0.0"))
    }
    #[test]
    fn a_script_is_no_dependency() {
        no("package.json", PACKAGE, ("npm", "left-pad"))
    }
    #[test]
    fn the_project_itself_is_no_dependency() {
        no("package.json", PACKAGE, ("npm", "x"))
    }
    #[test]
    fn a_locked_dependency() {
        yes(
            "package-lock.json",
            r#"{"packages": {"": {}, "node_modules/a/node_modules/left-pad": {"version": "1"}}}"#,
            ("npm", "left-pad"),
        )
    }
    #[test]
    fn a_dependency_locked_by_yarn() {
        yes(
            "yarn.lock",
            "# x\n\nleft-pad@^1.0.0:\n  version \"1\"\n",
            ("yarn", "left-pad"),
        )
    }
    #[test]
    fn a_dependency_locked_by_pnpm() {
        yes(
            "pnpm-lock.yaml",
            "packages:\n  '@a/b@1.0.0':\n    x: 1\n",
            ("pnpm", "@a/b"),
        )
    }
    #[test]
    fn a_declared_name_from_elsewhere_is_unknown() {
        for name in [
            "jest@https://evil.test/x.tgz",
            "jest@evil/jest",
            "jest@npm:evil@1",
            "jest@file:../x",
        ] {
            assert_eq!(ask("package.json", PACKAGE, ("npm", name)), Answer::Unknown);
        }
        for name in [
            "requests @ https://evil.test/x",
            "requests@git+https://evil.test/x",
        ] {
            assert_eq!(
                ask("requirements.txt", "requests\n", ("pip", name)),
                Answer::Unknown
            );
        }
    }
    #[test]
    fn no_manifest_is_unknown() {
        assert_eq!(ask("x", "", ("npm", "a")), Answer::Unknown)
    }
    #[test]
    fn no_ecosystem_is_unknown() {
        assert_eq!(ask("x", "", ("brew", "a")), Answer::Unknown)
    }
    #[test]
    fn a_program_of_node() {
        yes("node_modules/.bin/tsc", "", ("npm-bin", "tsc"))
    }
    #[test]
    fn no_program_of_node() {
        no("node_modules/.bin/tsc", "", ("npm-bin", "tsx"))
    }
    #[test]
    fn a_program_like_a_path() {
        assert_eq!(
            ask("node_modules/.bin/tsc", "", ("npm-bin", "../../x")),
            Answer::Unknown
        )
    }
    #[test]
    fn a_dependency_of_python() {
        yes("pyproject.toml", PYPROJECT, ("pip", "requests"))
    }
    #[test]
    fn a_dependency_of_python_spelled_otherwise() {
        yes("pyproject.toml", PYPROJECT, ("pypi", "flask-login==1.0"))
    }
    #[test]
    fn an_optional_dependency_of_python() {
        yes("pyproject.toml", PYPROJECT, ("pypi", "black"))
    }
    #[test]
    fn a_dependency_of_poetry() {
        yes("pyproject.toml", PYPROJECT, ("pypi", "Django"))
    }
    #[test]
    fn the_name_of_a_python_project() {
        no("pyproject.toml", PYPROJECT, ("pypi", "numpy"))
    }
    #[test]
    fn a_classifier_of_python() {
        no("pyproject.toml", PYPROJECT, ("pypi", "framework"))
    }
    #[test]
    fn a_tool_setting_of_python() {
        no("pyproject.toml", PYPROJECT, ("pypi", "mypy"))
    }
    #[test]
    fn a_requirement() {
        yes(
            "requirements.txt",
            "# x\nRequests[socks]>=2 # y\n",
            ("pip", "requests"),
        )
    }
    #[test]
    fn a_longer_requirement() {
        no("requirements.txt", "requests-evil\n", ("pip", "requests"))
    }
    #[test]
    fn a_locked_python_package() {
        yes("uv.lock", "[[package]]\nname = \"idna\"\n", ("uv", "idna"))
    }
    #[test]
    fn a_crate() {
        yes("Cargo.toml", CARGO, ("cargo", "serde"))
    }
    #[test]
    fn a_crate_of_the_workspace() {
        yes("Cargo.toml", CARGO, ("cargo", "libc"))
    }
    #[test]
    fn a_crate_for_a_target() {
        yes("Cargo.toml", CARGO, ("cargo", "nix@1"))
    }
    #[test]
    fn a_crate_with_its_own_table() {
        yes("Cargo.toml", CARGO, ("cargo", "proptest"))
    }
    #[test]
    fn a_feature_is_no_crate() {
        no("Cargo.toml", CARGO, ("cargo", "extra"))
    }
    #[test]
    fn a_module_of_go() {
        yes(
            "go.mod",
            "module x\nrequire (\n\tgolang.org/x/net v1 // indirect\n)\n",
            ("go", "golang.org/x/net@latest"),
        )
    }
    #[test]
    fn a_gem() {
        yes(
            "Gemfile",
            "source 'x'\ngem 'rails', '~> 7'\n",
            ("gem", "rails"),
        )
    }
    #[test]
    fn no_gem() {
        no("Gemfile", "gem 'rails-evil'\n", ("gem", "rails"))
    }
    #[test]
    fn a_package_of_composer() {
        yes(
            "composer.json",
            r#"{"require": {"a/b": "^1"}}"#,
            ("composer", "a/b:^1.2"),
        )
    }
}
