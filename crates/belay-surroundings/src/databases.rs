//! The database that a project's own files name, and whether it lies on this machine.
//!
//! INVARIANT: files speak only literally: what is computed, missing or of another mode proves nothing. Whoever wrote
//! the address, the tool goes where it leads; that what listens there is the project's own database, only a compose
//! file that the session did not write or a process says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use belay_knowledge::OURS;

use crate::look::{self, Gap};
use crate::{processes, services};

/// Names of this machine.
const HERE: [&str; 4] = ["localhost", "127.0.0.1", "::1", "[::1]"];
/// Parts of an address that may say another host than the address does.
const ELSEWHERE: [&str; 4] = ["host", "servic", "sock", "prox"];

/// Tells whether a variable of the environment leaves to the project's files which database is meant.
#[must_use]
pub(crate) fn leaves_database(name: &str, value: &str) -> bool {
    !OURS.lists("database-variables", name) || (name.ends_with("_ENV") && is_own_mode(value))
}

/// Tells whether a mode is one in which nobody else's data is changed.
fn is_own_mode(mode: &str) -> bool {
    mode.is_empty() || OURS.lists("own-modes", mode)
}

/// Where a project's files are looked for a database, and who wrote them.
pub struct Databases<'a> {
    /// The project's folder.
    pub folder: &'a Path,
    /// The user's home.
    pub home: Option<&'a Path>,
    /// Whether the session wrote a file.
    pub ours: &'a dyn Fn(&Path) -> bool,
}

/// Where a database lies.
#[derive(Debug, PartialEq, Eq)]
enum Lies {
    /// In a file of the project.
    InFile,
    /// Behind a port of this machine.
    AtPort(u16),
    /// Nobody can tell, or elsewhere.
    Elsewhere,
}

impl Databases<'_> {
    /// Tells whether the database that this kind of project is set to is proved to lie on this machine.
    pub fn is_own(&self, kind: &str) -> Result<bool, Gap> {
        let lies = match kind {
            "datasource" => self.of_prisma()?,
            "database-yml" => self.of_rails()?,
            "settings-py" => self.of_django()?,
            "variables" => self.of_laravel()?,
            _ => Lies::Elsewhere,
        };
        match lies {
            Lies::InFile => Ok(true),
            Lies::AtPort(port) => self.keeps_data_at(port),
            Lies::Elsewhere => Ok(false),
        }
    }

    /// Reads a file of the project.
    fn text(&self, name: &str) -> Result<Option<String>, Gap> {
        let path = self.folder.join(name);
        match look::text(&path) {
            Ok(text) => Ok(Some(text)),
            Err(Gap::Absent) => Ok(None),
            Err(Gap::Closed) => Err(Gap::Closed),
        }
    }

    /// Returns the variables of the files that stand for the environment, and fails on a mode that is none of ours.
    fn variables(&self) -> Result<BTreeMap<String, String>, Gap> {
        let mut all = BTreeMap::new();
        for name in [
            ".env",
            ".env.development",
            ".env.local",
            ".env.development.local",
        ] {
            let text = self.text(name)?.unwrap_or_default();
            all.extend(text.lines().filter_map(assigned));
        }
        let modes =
            |(name, value): (&String, &String)| name.ends_with("_ENV") && !is_own_mode(value);
        if all.iter().any(modes) {
            return Err(Gap::Closed);
        }
        Ok(all)
    }

    fn of_prisma(&self) -> Result<Lies, Gap> {
        for name in ["prisma.config.ts", "prisma.config.js", "prisma/.env"] {
            if self.text(name)?.is_some() {
                return Ok(Lies::Elsewhere);
            }
        }
        let usual = self.text("prisma/schema.prisma")?;
        let Some(text) = usual.filter(|_| !self.folder.join("schema.prisma").exists()) else {
            return Ok(Lies::Elsewhere);
        };
        let variables = self.variables()?;
        let urls = text.lines().filter_map(|line| {
            let (key, value) = line.split_once('=')?;
            let key = key.trim();
            (key == "url" || key.ends_with("Url")).then(|| value.trim())
        });
        let addresses = urls.map(|it| match it.strip_prefix("env(") {
            Some(name) => {
                let name = name.trim_end_matches(')').trim_matches('"');
                variables.get(name).cloned().unwrap_or_default()
            }
            None => unquoted(it).to_owned(),
        });
        Ok(all_one(addresses.map(|it| lies(&it))))
    }

    fn of_rails(&self) -> Result<Lies, Gap> {
        let variables = self.variables()?;
        if let Some(url) = variables.get("DATABASE_URL") {
            return Ok(lies(url));
        }
        let text = self.text("config/database.yml")?.unwrap_or_default();
        let mut section = "";
        let mut entries: BTreeMap<&str, &str> = BTreeMap::new();
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            if !line.starts_with([' ', '#', '-']) {
                section = key;
            } else if ["default", "development", "test"].contains(&section) {
                entries.insert(key.trim(), unquoted(value.trim()));
            }
        }
        let of = |key: &str| entries.get(key.trim_end_matches(':')).copied();
        Ok(match of("url") {
            Some(url) => lies(url),
            None => Server::of(of("adapter")).at(of("host"), of("port:")),
        })
    }

    fn of_django(&self) -> Result<Lies, Gap> {
        let manage = self.text("manage.py")?.unwrap_or_default();
        let module = manage
            .split_once("\"DJANGO_SETTINGS_MODULE\"")
            .or_else(|| manage.split_once("'DJANGO_SETTINGS_MODULE'"))
            .and_then(|(_, rest)| rest.split(['"', '\'']).nth(1));
        let Some(module) = module else {
            return Ok(Lies::Elsewhere);
        };
        let path = format!("{}.py", module.replace('.', "/"));
        let text = self.text(&path)?.unwrap_or_default();
        // Another file may say it anew.
        let (Some((before, rest)), false) =
            (text.split_once("DATABASES"), text.contains("import *"))
        else {
            return Ok(Lies::Elsewhere);
        };
        let rest: Vec<&str> = rest
            .lines()
            .enumerate()
            .take_while(|(at, it)| *at == 0 || it.is_empty() || it.starts_with([' ', '\t', '}']))
            .map(|(_, it)| it)
            .collect();
        let rest = rest.join("\n");
        let computed = [
            "environ",
            "env(",
            "getenv",
            "config(",
            "dj_database_url",
            "**",
        ];
        let again = text.matches("DATABASES").count() > 1 || before.trim_end().ends_with('.');
        if again || computed.iter().any(|it| rest.contains(it)) {
            return Ok(Lies::Elsewhere);
        }
        let of = |key: &str| {
            let mut parts = rest.split(['\'', '"']).skip_while(|it| *it != key);
            parts.nth(2)
        };
        let one = rest.matches("ENGINE").count() == 1;
        let engine = of("ENGINE").and_then(|it| it.rsplit('.').next());
        Ok(Server::of(engine.filter(|_| one)).at(of("HOST"), of("PORT")))
    }

    fn of_laravel(&self) -> Result<Lies, Gap> {
        let variables = self.variables()?;
        let of = |key: &str| variables.get(key).map(String::as_str);
        if let Some(url) = of("DB_URL").or_else(|| of("DATABASE_URL")) {
            return Ok(lies(url));
        }
        Ok(Server::of(of("DB_CONNECTION")).at(of("DB_HOST"), of("DB_PORT")))
    }

    /// Tells whether what listens at a port keeps its data here: a database of this user, or one that the
    /// project's own compose file puts there; no tunnel to another machine.
    fn keeps_data_at(&self, port: u16) -> Result<bool, Gap> {
        let listening = processes::listening_at(port)?;
        if !listening.is_empty() {
            return Ok(listening.iter().all(|it| OURS.lists("databases", it)));
        }
        Ok(services::are_own(self.folder, self.home, self.ours)?
            && services::publishes_database(self.folder, port)?)
    }
}

/// Reads `NAME=value`, as files of variables have it.
fn assigned(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (name, value) = line.split_once('=')?;
    Some((name.trim().to_owned(), unquoted(value.trim()).to_owned()))
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

/// Several addresses must lie in one place.
fn all_one(mut places: impl Iterator<Item = Lies>) -> Lies {
    let first = places.next().unwrap_or(Lies::Elsewhere);
    match places.all(|it| it == first) {
        true => first,
        false => Lies::Elsewhere,
    }
}

/// A kind of database, by the name that settings have for it.
enum Server {
    /// It is a file.
    File,
    /// It usually listens at this port.
    Port(u16),
    Unknown,
}

impl Server {
    fn of(name: Option<&str>) -> Self {
        match name.and_then(|it| OURS.said("database-ports", it)) {
            Some("file") => Self::File,
            Some(port) => port.parse().map_or(Self::Unknown, Self::Port),
            None => Self::Unknown,
        }
    }

    /// Tells where it lies with a host and a port of a project's settings; no host is this machine.
    fn at(&self, host: Option<&str>, port: Option<&str>) -> Lies {
        let usual = match self {
            Self::File => return Lies::InFile,
            Self::Port(port) => *port,
            Self::Unknown => return Lies::Elsewhere,
        };
        let here = HERE.contains(&host.filter(|it| !it.is_empty()).unwrap_or("localhost"));
        let port = match port.filter(|it| !it.is_empty()) {
            Some(port) => port.parse().ok(),
            None => Some(usual),
        };
        match port.filter(|_| here) {
            Some(port) => Lies::AtPort(port),
            None => Lies::Elsewhere,
        }
    }
}

/// Tells where the database of an address lies.
fn lies(url: &str) -> Lies {
    if let Some(path) = url.strip_prefix("file:") {
        return match Path::new(path).is_relative() && !path.contains("..") {
            true => Lies::InFile,
            false => Lies::Elsewhere,
        };
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Lies::Elsewhere;
    };
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let host = address.split('/').next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        Some(_) | None => (host, None),
    };
    if url.contains(['$', '`', '<', '{', ',']) || ELSEWHERE.iter().any(|it| query.contains(it)) {
        return Lies::Elsewhere;
    }
    Server::of(Some(scheme)).at(Some(name), port)
}

/// Returns where a compose file may lie, from a folder upwards to the top of the project.
pub(crate) fn upwards(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in folder.ancestors().take(16) {
        all.push(folder.to_owned());
        if folder.join(".git").symlink_metadata().is_ok() {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Databases, Lies, leaves_database, lies};

    fn check(kind: &str, files: &[(&str, &str)], expected: Option<bool>) {
        let room = tempfile::tempdir().unwrap();
        fs::create_dir_all(room.path().join(".git")).unwrap();
        for (name, text) in files {
            let path = room.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let databases = Databases {
            folder: room.path(),
            home: Some(room.path()),
            ours: &|it: &Path| it.ends_with("docker-compose.yml"),
        };
        assert_eq!(databases.is_own(kind).ok(), expected, "{kind} {files:?}");
    }

    const COMPOSE: (&str, &str) = (
        "compose.yaml",
        "services:\n  db:\n    image: postgres:16\n    ports:\n      - \"54329:5432\"\n  proxy:\n    image: cloud-sql-proxy\n    ports: [\"54330:5432\"]\n",
    );
    const SCHEMA: (&str, &str) = (
        "prisma/schema.prisma",
        "datasource db {\n  provider = \"postgresql\"\n  url      = env(\"DATABASE_URL\")\n}\n",
    );

    #[test]
    fn a_port_of_the_projects_own_database() {
        let env = |text| (".env", text);
        let own = env("DATABASE_URL=\"postgresql://me:secret@localhost:54329/shop?schema=public\"");
        check("datasource", &[SCHEMA, COMPOSE, own], Some(true));
        check("datasource", &[SCHEMA, own], Some(false));
        let written = ("docker-compose.yml", COMPOSE.1);
        check("datasource", &[SCHEMA, written, own], Some(false));
        check("datasource", &[SCHEMA, COMPOSE], Some(false));
        check("datasource", &[COMPOSE, own], Some(false));
        for other in [
            "DATABASE_URL=postgresql://db.example.com:54329/shop",
            "DATABASE_URL=postgresql://localhost:54330/shop",
            "DATABASE_URL=postgresql://localhost:54329/shop?host=db.example.com",
            "DATABASE_URL=postgresql://localhost,db.example.com:54329/shop",
            "DATABASE_URL=$OTHER",
        ] {
            check("datasource", &[SCHEMA, COMPOSE, env(other)], Some(false));
        }
        let production = env("NODE_ENV=production\nDATABASE_URL=postgresql://localhost:54329/shop");
        check("datasource", &[SCHEMA, COMPOSE, production], None);
        let later = (
            ".env.local",
            "DATABASE_URL=postgresql://db.example.com/shop",
        );
        check("datasource", &[SCHEMA, COMPOSE, own, later], Some(false));
        let config = ("prisma.config.ts", "export default {}");
        check("datasource", &[SCHEMA, COMPOSE, own, config], Some(false));
    }

    #[test]
    fn a_file_of_the_project() {
        let sqlite = "default: &default\n  adapter: sqlite3\n  pool: <%= ENV.fetch(\"N\") { 5 } %>\ndevelopment:\n  <<: *default\n  database: storage/dev.sqlite3\nproduction:\n  url: <%= ENV[\"DATABASE_URL\"] %>\n";
        check(
            "database-yml",
            &[("config/database.yml", sqlite)],
            Some(true),
        );
        let url = (".env", "DATABASE_URL=postgres://db.example.com/x");
        check(
            "database-yml",
            &[("config/database.yml", sqlite), url],
            Some(false),
        );
        let remote = "development:\n  adapter: postgresql\n  host: db.example.com\n";
        check(
            "database-yml",
            &[("config/database.yml", remote)],
            Some(false),
        );
        check("database-yml", &[], Some(false));
        let manage = (
            "manage.py",
            "os.environ.setdefault(\"DJANGO_SETTINGS_MODULE\", \"shop.settings\")\n",
        );
        let settings = |text| ("shop/settings.py", text);
        let own = "DATABASES = {\n    'default': {\n        'ENGINE': 'django.db.backends.sqlite3',\n        'NAME': BASE_DIR / 'db.sqlite3',\n    }\n}\nDEBUG = True\n";
        check("settings-py", &[manage, settings(own)], Some(true));
        let computed = "DATABASES = {\n    'default': env('DATABASE_URL'),\n}\n";
        check("settings-py", &[manage, settings(computed)], Some(false));
        let twice = format!("{own}DATABASES['default'] = other\n");
        check("settings-py", &[manage, settings(&twice)], Some(false));
        check(
            "variables",
            &[(".env", "DB_CONNECTION=sqlite\n")],
            Some(true),
        );
        check(
            "variables",
            &[(".env", "DB_CONNECTION=mysql\nDB_HOST=db.example.com\n")],
            Some(false),
        );
        check("frob", &[], Some(false));
    }

    #[test]
    fn addresses() {
        for (url, expected) in [
            ("postgres://localhost/x", Lies::AtPort(5432)),
            ("mysql://root@127.0.0.1:3307/x", Lies::AtPort(3307)),
            ("postgres://[::1]/x", Lies::AtPort(5432)),
            ("file:./dev.db", Lies::InFile),
            ("file:../dev.db", Lies::Elsewhere),
            ("postgres://a@localhost@db.test/x", Lies::Elsewhere),
            ("redis://localhost", Lies::Elsewhere),
            ("", Lies::Elsewhere),
        ] {
            assert_eq!(lies(url), expected, "{url}");
        }
    }

    #[test]
    fn variables_that_say_more_than_files() {
        assert!(leaves_database("PATH", "/bin") && leaves_database("RAILS_ENV", "test"));
        assert!(!leaves_database("RAILS_ENV", "production"));
        assert!(!leaves_database("DATABASE_URL", "postgres://localhost/x"));
    }
}
