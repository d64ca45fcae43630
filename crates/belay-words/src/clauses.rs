//! Parts a text into sentences, and those into words and clauses. Code and quotations are left out.

/// One sentence.
pub(crate) struct Sentence {
    /// As it was typed.
    pub(crate) text: String,
    /// In small letters, without blanks.
    pub(crate) lower: String,
    /// Its words.
    pub(crate) tokens: Vec<Token>,
    /// Whether it is a question.
    pub(crate) asks: bool,
}

/// One word.
pub(crate) struct Token {
    /// In small letters, without the marks around it.
    pub(crate) text: String,
    /// As it was typed, without the marks around it.
    pub(crate) whole: String,
    /// Whether a mark after it ends a clause.
    pub(crate) ends: bool,
    /// Whether it announces what follows: a demand, or what somebody else said.
    pub(crate) announces: bool,
}

/// Words between two clauses.
const BETWEEN: [&str; 6] = ["and", "then", "&", "y", "luego", "+"];

impl Sentence {
    fn new(text: &str) -> Option<Self> {
        let asks = text.ends_with(['?', '？']) || text.starts_with('¿');
        let tokens: Vec<Token> = text.split_whitespace().filter_map(Token::new).collect();
        let lower = text.to_lowercase().split_whitespace().collect();
        (!tokens.is_empty()).then(|| Self {
            text: text.to_owned(),
            lower,
            tokens,
            asks,
        })
    }

    /// Returns the clauses: what stands between marks, and between words such as `and`.
    pub(crate) fn clauses(&self) -> Vec<&[Token]> {
        let mut all = Vec::new();
        let mut from = 0;
        for (at, token) in self.tokens.iter().enumerate() {
            let between = BETWEEN.contains(&token.text.as_str());
            if between || token.ends {
                let to = if between { at } else { at + 1 };
                all.extend(self.tokens.get(from..to));
                from = at + 1;
            }
        }
        all.extend(self.tokens.get(from..));
        all.retain(|it| !it.is_empty());
        all
    }
}

impl Token {
    fn new(word: &str) -> Option<Self> {
        let open = ['(', '`', '*', '_', '¿', '¡'];
        let close = [',', '.', '!', '?', ';', ':', ')', '`', '*', '_'];
        let word = word.replace(['’', '‘'], "'");
        let bare = word.trim_start_matches(open).trim_end_matches(close);
        let tail = word.get(word.trim_end_matches(close).len()..)?;
        if bare.is_empty() {
            return None;
        }
        Some(Self {
            text: bare.to_lowercase(),
            whole: bare.to_owned(),
            ends: tail.contains([',', '.', '!', ';', ')']),
            announces: tail.contains(':'),
        })
    }
}

/// Parts a text into sentences.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let mut all = Vec::new();
    let mut fenced = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !is_quoted(line) {
            all.extend(of_line(line).into_iter().filter_map(Sentence::new));
        }
    }
    all
}

/// Tells whether a line repeats what others wrote: a quotation, a prompt, a line of a log or a difference.
fn is_quoted(line: &str) -> bool {
    [">", "$ ", "% ", "+", "|", "#"]
        .iter()
        .any(|it| line.starts_with(it))
}

fn of_line(line: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let to = at + letter.len_utf8();
        let followed = letters.peek().is_none_or(|(_, it)| it.is_whitespace());
        let wide = matches!(letter, '。' | '！' | '？');
        if wide || (followed && matches!(letter, '.' | '!' | '?' | ';')) {
            all.extend(line.get(from..to).map(str::trim));
            from = to;
        }
    }
    all.extend(line.get(from..).map(str::trim));
    all.retain(|it| !it.is_empty());
    all
}
