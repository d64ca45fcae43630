//! Makes a program with a hole smaller while the hole stays.

/// How many tries one program is worth.
const TRIES: usize = 600;

/// Deletes lines, then words, as long as the text stays interesting.
pub fn shrink(text: &str, mut interesting: impl FnMut(&str) -> bool) -> String {
    let mut best = text.to_owned();
    let mut tries = TRIES;
    loop {
        let before = best.len();
        for cut in [Cut::Lines, Cut::Words] {
            best = pass(&best, cut, &mut tries, &mut interesting);
        }
        if best.len() == before || tries == 0 {
            return best;
        }
    }
}

#[derive(Clone, Copy)]
enum Cut {
    Lines,
    Words,
}

impl Cut {
    fn pieces(self, text: &str) -> Vec<String> {
        match self {
            Self::Lines => text.split_inclusive('\n').map(str::to_owned).collect(),
            Self::Words => text
                .split_inclusive([' ', '\n', ';', '|', '&'])
                .map(str::to_owned)
                .collect(),
        }
    }
}

fn pass(
    text: &str,
    cut: Cut,
    tries: &mut usize,
    interesting: &mut impl FnMut(&str) -> bool,
) -> String {
    let mut pieces = cut.pieces(text);
    let mut size = pieces.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < pieces.len() && *tries > 0 {
            let end = (at + size).min(pieces.len());
            let kept: String = pieces
                .iter()
                .enumerate()
                .filter(|(index, _)| !(at..end).contains(index))
                .map(|(_, piece)| piece.as_str())
                .collect();
            *tries -= 1;
            if interesting(&kept) {
                pieces.drain(at..end);
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    pieces.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_stays() {
        let text = "a b c\nd needle; e\nf";
        let small = shrink(text, |it| it.contains("needle"));
        assert_eq!(small, "needle;");
    }
}
