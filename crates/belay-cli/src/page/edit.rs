//! Changes of the user's own settings from the page: tried on the past first, then written.
//!
//! INVARIANT: what is written was read as settings without a mistake, its examples hold, and it is a change of what the
//! person saw. Only the user's own file is written; a project's and the owner's are not touched.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use autobelay::Gate;
use belay_http::{Request, Response};
use belay_journal::calendar::Moment;
use belay_journal::{Record, subject};
use belay_model::Verdict;
use belay_page::{Changed, Changes, changes};
use belay_settings::lint::lint;
use belay_settings::suggest::Suggested;
use belay_settings::{MOST_BYTES, Settings};
use belay_store::{Access, Draft, Lasts};
use belay_surroundings::content_hash;

use super::show::{DAYS, journal, judging};
use super::{html, said};
use crate::judging::Judging;
use crate::out::Failure;
use crate::places::Here;
use crate::{grants, suggest};

/// So long the past is judged again; the rest of it is said to be left.
const PATIENCE: Duration = Duration::from_secs(6);

/// So many of the calls that change are shown.
const SHOWN: usize = 40;

/// The user's own settings.
pub struct Own {
    /// Where they are, links followed.
    pub path: PathBuf,
    /// What they say; nothing where there are none yet.
    pub text: String,
}

impl Own {
    /// Reads them.
    pub fn read() -> Result<Self, Failure> {
        let here = Here::at(None)?;
        let path = here
            .places
            .user
            .ok_or_else(|| Failure::said("there is no folder for your own settings"))?;
        // A link leads to where a person keeps them: that file is written.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(why) => return Err(why.into()),
        };
        Ok(Self { path, text })
    }

    /// Returns a hash of what they say.
    pub fn hash(&self) -> String {
        content_hash(self.text.as_bytes())
    }
}

/// Returns settings with one more rule, which holds in one project only.
pub fn with_rule_in(text: &str, rule: &Suggested, project: &str) -> String {
    format!("{}\n{}", ended(text), rule.in_project(project))
}

fn ended(text: &str) -> String {
    match text.is_empty() || text.ends_with('\n') {
        true => text.to_owned(),
        false => format!("{text}\n"),
    }
}

/// Returns settings with one more rule, which holds everywhere: a line for nobody's program joins `allow`, a rule of an
/// effect comes last.
pub fn with_rule(text: &str, rule: &Suggested) -> String {
    let base = ended(text);
    let Suggested::Line(line) = rule else {
        return format!("{base}\n{}", rule.to_toml());
    };
    let quoted = belay_settings::show::quoted(line);
    let list = base
        .lines()
        .position(|it| it.trim_start().starts_with("allow") && it.contains('['));
    let has_rules = base.lines().any(|it| it.trim() == "[rules]");
    match (list, has_rules) {
        (Some(at), true) => {
            let lines = base
                .lines()
                .enumerate()
                .map(|(place, it)| match place == at {
                    true => it.replacen('[', &format!("[{quoted}, "), 1),
                    false => it.to_owned(),
                });
            lines.map(|it| it + "\n").collect()
        }
        (None, true) => base.replacen(
            "[rules]\n",
            &format!("[rules]\nallow = [\"$defaults\", {quoted}]\n"),
            1,
        ),
        (_, false) => format!("{base}\n{}", rule.to_toml()),
    }
}

/// Reads a text as the user's settings, beside those of the machine's owner.
fn read_as_settings(text: &str, own: &Own) -> Result<Settings, String> {
    if text.len() as u64 > MOST_BYTES {
        return Err("it is too long".to_owned());
    }
    let mut here = Here::at(None).map_err(Failure::text)?;
    let folder = here
        .places
        .state_dir
        .clone()
        .ok_or("belay has no state folder")?;
    let draft = folder
        .join("daemon")
        .join(format!("draft-{}.toml", std::process::id()));
    belay_store::replace(&draft, text.as_bytes(), Lasts::WhileItMay)
        .map_err(|why| why.to_string())?;
    here.places.user = Some(draft.clone());
    here.places.user_named = true;
    let loaded = here.settings();
    let _ = fs::remove_file(&draft);
    let shown = |it: &belay_settings::SettingsError| {
        let text = it.render().replace(
            &draft.display().to_string(),
            &own.path.display().to_string(),
        );
        text.trim_end().to_owned()
    };
    if let Some(error) = loaded.errors.first() {
        return Err(shown(error));
    }
    let failing = Gate::new(loaded.settings.clone()).failing_examples(&|_| true);
    match failing.first() {
        Some(error) => Err(shown(error)),
        None => Ok(*loaded.settings),
    }
}

/// Shows what a change would have changed.
pub fn tried(request: &Request) -> Result<Response, Failure> {
    let text = String::from_utf8_lossy(&request.body).into_owned();
    let own = Own::read()?;
    let shown = match read_as_settings(&text, &own) {
        Ok(settings) => Trial::of(settings)?.run(&own.text, &text)?,
        Err(why) => Changes {
            refused: Some(why),
            ..Changes::default()
        },
    };
    let status = if shown.refused.is_some() { 422 } else { 200 };
    Ok(html(status, changes(&shown).into_string()))
}

/// The past, judged under other settings.
struct Trial {
    judging: Judging,
    gate: Gate,
    settings: Settings,
}

impl Trial {
    fn of(settings: Settings) -> Result<Self, Failure> {
        let judging = judging()?;
        Ok(Self {
            gate: judging.gate_with(settings.clone()),
            judging,
            settings,
        })
    }

    fn run(&self, old: &str, new: &str) -> Result<Changes, Failure> {
        let mut found = Changes {
            odd: lint(&self.settings, &self.judging.lexicon())
                .iter()
                .map(ToString::to_string)
                .collect(),
            diff: diff(old, new),
            ..Changes::default()
        };
        let since = Moment::now().days_before(DAYS).unwrap_or_default();
        let begun = Instant::now();
        let mut known: HashMap<String, (Verdict, Verdict)> = HashMap::new();
        for record in journal()?.newest().take_while(|it| it.at >= since) {
            if begun.elapsed() > PATIENCE {
                found.is_part = true;
                break;
            }
            found.calls += 1;
            let alike = format!(
                "{}\0{}\0{}\0{}",
                record.call.tool,
                record.call.cwd,
                subject(&record.call),
                record.answers.join("\0")
            );
            let (was, is) = *known.entry(alike).or_insert_with(|| self.verdicts(&record));
            if was != is {
                count(&mut found.counts, was, is);
                if found.changed.len() < SHOWN {
                    let what = format!("{}: {}", record.call.tool, subject(&record.call));
                    found.changed.push(Changed {
                        id: record.id,
                        what,
                        was,
                        is,
                    });
                }
            }
        }
        Ok(found)
    }

    /// Judges a call under the new settings and, where that is not what was said, under those of today: what changed since
    /// then for other reasons is not this change's doing.
    fn verdicts(&self, record: &Record) -> (Verdict, Verdict) {
        let world = suggest::replay(record);
        let is = self.gate.judge_in(&record.call, &world).verdict;
        if is == record.judgement.verdict {
            return (is, is);
        }
        let now = self.judging.gate_with(self.judging.settings().clone());
        (now.judge_in(&record.call, &world).verdict, is)
    }
}

fn count(counts: &mut Vec<(Verdict, Verdict, usize)>, was: Verdict, is: Verdict) {
    match counts.iter_mut().find(|it| (it.0, it.1) == (was, is)) {
        Some(count) => count.2 += 1,
        None => counts.push((was, is, 1)),
    }
}

/// Returns the lines that change, what is alike at both ends left out.
fn diff(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let begin = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - begin;
    let end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count()
        .min(most);
    let gone = old.get(begin..old.len() - end).unwrap_or_default().iter();
    let come = new.get(begin..new.len() - end).unwrap_or_default().iter();
    gone.map(|it| format!("- {it}"))
        .chain(come.map(|it| format!("+ {it}")))
        .collect()
}

/// Writes the user's settings.
pub fn save(request: &Request) -> Result<Response, Failure> {
    let text = String::from_utf8_lossy(&request.body).into_owned();
    let own = Own::read()?;
    if request.header("belay-of") != Some(&own.hash()) {
        return Ok(said(
            409,
            "the file has changed since you opened it: reload the page",
        ));
    }
    if let Err(why) = read_as_settings(&text, &own) {
        return Ok(said(422, &why));
    }
    if let Some(folder) = own.path.parent() {
        fs::create_dir_all(folder)?;
    }
    let access =
        fs::metadata(&own.path).map_or(Access::Private, |it| Access::Exactly(it.permissions()));
    let mut draft = Draft::new(&own.path, access)?;
    draft.fill(text.as_bytes(), Lasts::ThroughCrashes)?;
    draft.replace()?;
    Ok(said(200, &format!("saved in {}", own.path.display())))
}

/// Ends what was agreed to.
pub fn end_grant(request: &Request) -> Result<Response, Failure> {
    let id = String::from_utf8_lossy(&request.body).trim().to_owned();
    let ended = grants::end_one(&id)?;
    Ok(match ended {
        0 => said(404, "there is no such grant"),
        _ => said(200, "ended"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_change_are_shown_and_no_others() {
        assert_eq!(diff("a\nb\nc", "a\nx\nc"), ["- b", "+ x"]);
        assert_eq!(diff("a\n", "a\nb\n"), ["+ b"]);
        assert_eq!(diff("a\na\n", "a\n"), ["- a"]);
        assert!(diff("a", "a").is_empty());
    }

    #[test]
    fn a_rule_joins_what_is_there() {
        let line = Suggested::Line("frob build".to_owned());
        let effect = Suggested::Effect("fetch docs.test".to_owned());
        assert_eq!(
            with_rule("", &line),
            "\n[rules]\nallow = [\"$defaults\", \"frob build\"]\n"
        );
        assert_eq!(
            with_rule("[rules]\nallow = [\"x\"]\n", &line),
            "[rules]\nallow = [\"frob build\", \"x\"]\n"
        );
        assert_eq!(
            with_rule("[rules]\nhard_deny = []\n", &line),
            "[rules]\nallow = [\"$defaults\", \"frob build\"]\nhard_deny = []\n"
        );
        assert_eq!(
            with_rule_in("x = 1", &line, "/w/app"),
            "x = 1\n\n[[rule]]\ncommand = \"frob build\"\nproject = \"/w/app\"\nverdict = \"allow\"\n"
        );
        assert!(with_rule("mode = \"auto\"", &effect).starts_with("mode = \"auto\"\n\n[[rule]]\n"));
    }
}
