//! The languages that are read here, by the words that effects have for them.

/// A language whose code is read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Awk.
    Awk,
    /// Python in Django's shell: what acts on the project's models changes its database.
    Django,
    /// SQL as DuckDB understands it.
    DuckDb,
    /// What is typed at IPython's prompt.
    IPython,
    /// JavaScript.
    JavaScript,
    /// The filters of jq.
    Jq,
    /// Lua.
    Lua,
    /// What is typed to MongoDB's shell.
    Mongo,
    /// SQL as MySQL understands it.
    MySql,
    /// Perl.
    Perl,
    /// PHP.
    Php,
    /// SQL as PostgreSQL understands it.
    PostgreSql,
    /// Python.
    Python,
    /// R.
    R,
    /// Ruby in a Rails application: what its models are asked, and what they change.
    Rails,
    /// Ruby.
    Ruby,
    /// The scripts of sed.
    Sed,
    /// SQL of no known engine.
    Sql,
    /// SQL as SQLite understands it.
    Sqlite,
    /// The filters of yq.
    Yq,
}

/// Each language with its word.
const WORDS: [(&str, Language); 20] = [
    ("awk", Language::Awk),
    ("django", Language::Django),
    ("duckdb", Language::DuckDb),
    ("ipython", Language::IPython),
    ("javascript", Language::JavaScript),
    ("jq", Language::Jq),
    ("lua", Language::Lua),
    ("mongodb", Language::Mongo),
    ("mysql", Language::MySql),
    ("perl", Language::Perl),
    ("php", Language::Php),
    ("postgresql", Language::PostgreSql),
    ("python", Language::Python),
    ("r", Language::R),
    ("ruby-on-rails", Language::Rails),
    ("ruby", Language::Ruby),
    ("sed", Language::Sed),
    ("sql", Language::Sql),
    ("sqlite", Language::Sqlite),
    ("yq", Language::Yq),
];

impl Language {
    /// Returns the language of a word: `python` in `eval python`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let found = WORDS.iter().find(|(it, _)| *it == word);
        found.map(|(_, language)| *language)
    }

    /// Returns its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = WORDS.iter().find(|(_, it)| *it == self);
        found.map_or("", |(word, _)| word)
    }
}
