use super::Change;

/// How many unchanged lines are shown around a change.
const AROUND: usize = 3;

/// Returns the change as lines with `-` and `+`.
#[must_use]
pub fn diff(change: &Change) -> String {
    let before: Vec<&str> = lines(change.before.as_deref());
    let after: Vec<&str> = lines(change.after.as_deref());
    let same = before
        .iter()
        .zip(&after)
        .take_while(|(a, b)| a == b)
        .count();
    let longest_tail = before.len().min(after.len()) - same;
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(longest_tail)
        .take_while(|(a, b)| a == b)
        .count();
    let mut text = format!(
        "--- {}\n+++ {}\n",
        name(change, change.before.is_some()),
        name(change, change.after.is_some())
    );
    let part = |lines: &[&str], from: usize, to: usize, sign: char, text: &mut String| {
        for line in lines.get(from..to).unwrap_or_default() {
            text.push(sign);
            text.push_str(line);
            text.push('\n');
        }
    };
    part(&before, same.saturating_sub(AROUND), same, ' ', &mut text);
    part(&before, same, before.len() - tail, '-', &mut text);
    part(&after, same, after.len() - tail, '+', &mut text);
    let end = before.len() - tail;
    part(
        &before,
        end,
        (end + AROUND).min(before.len()),
        ' ',
        &mut text,
    );
    text
}

fn lines(text: Option<&str>) -> Vec<&str> {
    text.map(|text| text.lines().collect()).unwrap_or_default()
}

fn name(change: &Change, there: bool) -> String {
    if there {
        change.path.display().to_string()
    } else {
        "/dev/null".to_owned()
    }
}
