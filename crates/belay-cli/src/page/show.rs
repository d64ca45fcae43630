//! What the views show, gathered from journal, settings and memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use belay_agents::Agent;
use belay_http::{Request, Response};
use belay_journal::calendar::Moment;
use belay_journal::{Journal, Kind, Record, Row, Rows, Sums, subject};
use belay_model::{Band, Verdict};
use belay_page::{
    DecisionView, Frame, Group, Mark, NowView, Proposal, Proposed, ReviewView, RulesView, Same,
    Strip, View, decision, fault_page, now, review, rules, trends,
};
use belay_settings::Mode;

use super::{asked, edit, fleet, html, pending};
use crate::args::Standing;
use crate::doctor::Connected;
use crate::judging::{Judging, Recording};
use crate::out::Failure;
use crate::places::{self, Here};
use crate::{doctor, grants, rules as listed, suggest};

/// So many rows a page of the stream has.
const ROWS: usize = 100;

/// So many questions are looked at for those that were repeated.
const BEFORE: usize = 5000;

/// How long what costs much and changes seldom is kept.
const KEPT: Duration = Duration::from_secs(4);

/// So many records are looked at for the last call of each agent.
const LATELY: usize = 300;

/// Days that review, trends and the trial of rules look back.
pub const DAYS: u64 = 30;

/// Returns a view.
pub fn view(request: &Request) -> Result<Response, Failure> {
    let path = request.path.as_str();
    let (view, inside) = match path {
        "/" => (View::Now, now(&stream(request)?)),
        "/rules" => (View::Rules, rules(&in_force(request)?)),
        "/review" => (View::Review, review(&reviewed()?)),
        "/fleet" => match fleet::looked() {
            Some(view) => (View::Fleet, belay_page::fleet(&view)),
            None => return Ok(html(404, fault_page(fleet::NOT_SET))),
        },
        "/trends" => {
            let days = asked(request, "days").and_then(|it| it.parse().ok());
            let days = days.unwrap_or(DAYS).clamp(1, 400);
            (
                View::Trends,
                trends(&sums(days)?, &format!("In the last {days} days.")),
            )
        }
        _ => match path.strip_prefix("/d/") {
            Some(id) => match decided(id)? {
                Some(view) => (View::Decision, decision(&view)),
                None => {
                    return Ok(html(
                        404,
                        fault_page("There is no such record; it may have expired."),
                    ));
                }
            },
            None => return Ok(html(404, fault_page("There is no such view."))),
        },
    };
    let frame = Frame {
        view,
        strip: strip(),
        fleet: fleet::is_set(),
    };
    Ok(html(200, frame.page(inside)))
}

/// Returns the journal of the user's settings.
pub fn journal() -> Result<Journal, Failure> {
    let here = Here::at(None)?;
    let journal = places::journal(&here.settings().settings, &here.places);
    journal.ok_or_else(|| Failure::said("there is no journal"))
}

/// Returns a gate that asks no model and keeps nothing.
pub fn judging() -> Result<Judging, Failure> {
    Judging::open_static(&standing(), Recording::NotKept)
}

/// Stands nowhere in particular: what a project says is the project's.
pub const fn standing() -> Standing {
    Standing {
        folder: None,
        headless: false,
        without_model: true,
        dump: None,
        overrides: Vec::new(),
    }
}

/// Returns what the strip says now.
pub fn strip() -> Strip {
    let Ok(here) = Here::at(None) else {
        return Strip::default();
    };
    let loaded = here.settings();
    let mode = loaded.settings.mode;
    let (means, off) = match mode {
        Mode::Auto => ("every call is judged", None),
        Mode::Observe => (
            "only watching",
            Some(
                "calls are judged and recorded, but nothing is stopped; `belay auto on` switches back",
            ),
        ),
        Mode::Off => (
            "nothing is judged",
            Some("nothing is judged or stopped; `belay auto on` switches back"),
        ),
    };
    let broken = loaded
        .errors
        .first()
        .map(|it| format!("the settings have an error, so nothing is allowed: {it}"));
    Strip {
        mode: format!("{}: {means}", mode.word()),
        hooks: hooks(),
        off: broken.or_else(|| off.map(str::to_owned)),
    }
}

static HOOKS: Mutex<Option<(Instant, String)>> = Mutex::new(None);

/// Returns what is said of the hooks. Looking costs much: what is known is said at once, and looked at again meanwhile, so
/// that no stream waits for it.
fn hooks() -> String {
    let cell = || HOOKS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = cell().clone();
    let Some((at, known)) = known else {
        let fresh = look_at_hooks();
        return cell().insert((Instant::now(), fresh)).1.clone();
    };
    if at.elapsed() > KEPT {
        // Whoever comes meanwhile need not look too.
        *cell() = Some((Instant::now(), known.clone()));
        let look = move || *cell() = Some((Instant::now(), look_at_hooks()));
        let _ = std::thread::Builder::new().spawn(look);
    }
    known
}

/// Says which hooks are proved: a registration is a promise, a call that came is the proof.
fn look_at_hooks() -> String {
    let Connected { on, off } = doctor::connected();
    if on.is_empty() && off.is_empty() {
        return "no agent found: run `belay install`".to_owned();
    }
    let lately: Vec<Record> = journal()
        .map(|it| it.newest().take(LATELY).collect())
        .unwrap_or_default();
    let asked = |agent: &Agent| {
        let of = |it: &&Record| it.call.agent.as_deref() == Some(agent.word());
        let at = lately.iter().find(of).map(|it| it.at.stamp());
        at.and_then(|it| it.get(..16).map(|it| it.replace('T', " ")))
    };
    let (proved, promised): (Vec<Agent>, Vec<Agent>) =
        on.into_iter().partition(|it| asked(it).is_some());
    let titles = |it: &[Agent]| {
        it.iter()
            .map(|it| it.title())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut parts = Vec::new();
    if !proved.is_empty() {
        let each = proved.iter().map(|it| {
            let last = asked(it).unwrap_or_default();
            format!("{} (asked {last})", it.title())
        });
        parts.push(format!(
            "hooks proved: {}",
            each.collect::<Vec<_>>().join(", ")
        ));
    }
    if !promised.is_empty() {
        let names = titles(&promised);
        parts.push(format!(
            "registered, no call yet: {names}; `belay doctor` proves it"
        ));
    }
    if !off.is_empty() {
        parts.push(format!("not connected: {}; belay install", titles(&off)));
    }
    parts.join(" · ")
}

fn stream(request: &Request) -> Result<NowView, Failure> {
    let text = asked(request, "q").unwrap_or_default();
    let (mut view, filter) = NowView::filtered(&text);
    let journal = journal()?;
    let last = journal.newest().find_map(|it| it.number);
    view.last = last.unwrap_or(0);
    view.pending = pending::on_screen();
    let Some(filter) = filter else {
        return Ok(view);
    };
    let before: Option<u64> = asked(request, "before").and_then(|it| it.parse().ok());
    view.is_old = before.is_some();
    let is_older =
        |it: &Record| before.is_none_or(|before| it.number.is_some_and(|it| it < before));
    let found: Box<dyn Iterator<Item = Record>> = match filter.is_empty() {
        true => Box::new(journal.newest()),
        false => Box::new(journal.newest_of(|rows, row| filter.glances(rows, row))),
    };
    let found = found.filter(|it| is_older(it) && filter.wants(it));
    let mut records: Vec<Record> = found.take(ROWS + 1).collect();
    if records.len() > ROWS {
        records.truncate(ROWS);
        view.older = records.last().and_then(|it| it.number);
    }
    view.records = records;
    Ok(view)
}

/// Returns what the last days add up to; it is made again only when the journal has grown.
fn sums(days: u64) -> Result<Sums, Failure> {
    let journal = journal()?;
    let since = Moment::now().days_before(days).unwrap_or_default();
    let rows = journal.rows(since);
    Ok(Sums::of(&rows, |_| true))
}

/// Finds a record by its name: its beginning says when it was, so only that day's index is asked for old ones.
fn named(journal: &Journal, id: &str) -> Option<Record> {
    let at = id
        .split('-')
        .next()
        .and_then(|it| u64::from_str_radix(it, 16).ok());
    match at {
        Some(at) if id.contains('-') => {
            let near = |_: &_, row: &Row| row.at.0.abs_diff(at) < 1000;
            journal.newest_of(near).find(|it| it.id == id)
        }
        _ => journal.newest().find(|it| it.is_named(id)),
    }
}

/// Returns the record of a name.
pub fn record(id: &str) -> Result<Option<Record>, Failure> {
    Ok(named(&journal()?, id))
}

fn decided(id: &str) -> Result<Option<DecisionView>, Failure> {
    let journal = journal()?;
    let Some(record) = named(&journal, id) else {
        return Ok(None);
    };
    let judging = judging()?;
    let sight = judging.look_in(&record.call, &suggest::replay(&record));
    let thresholds = judging.settings().thresholds;
    let marks = sight.findings.iter().map(|it| Mark {
        start: it.effect.span.start as usize,
        end: it.effect.span.end as usize,
        effect: it.effect.to_string(),
        scope: it.weighed.scope.map_or(String::new(), |it| it.to_string()),
        rule: it.weighed.rule.to_owned(),
        risk: format!(
            "{} ({})",
            it.weighed.risk,
            thresholds.band(it.weighed.risk).verdict().word()
        ),
    });
    let marks: Vec<Mark> = marks.collect();
    let heavy = sight
        .findings
        .iter()
        .filter(|it| thresholds.band(it.weighed.risk) > Band::Clear && !it.weighed.floor);
    let mut ways: Vec<String> = match record.judgement.verdict {
        Verdict::Allow => Vec::new(),
        Verdict::Ask => vec![format!("belay allow {}", record.short())],
        Verdict::Deny => Vec::new(),
    };
    ways.extend(heavy.map(|it| format!("belay allow '{}' --for 1h", it.effect)));
    if let Some(kept) = record
        .judgement
        .reason
        .rule
        .as_deref()
        .and_then(|it| it.strip_prefix("kept "))
    {
        ways.push(format!("belay undo {kept}"));
    }
    ways.dedup();
    let rule = match record.judgement.verdict {
        Verdict::Ask => suggest::rule_for(&record, &judging),
        Verdict::Allow | Verdict::Deny => None,
    };
    let project = record.call.project_roots.first();
    let project = project.unwrap_or(&record.call.cwd);
    Ok(Some(DecisionView {
        origin: origin(&record, &judging),
        later: later(&journal, &record),
        same: same(&journal, &record),
        marks,
        ways,
        rule: rule.map(|it| it.in_project(project).replace('\n', " ")),
        record,
    }))
}

/// Says where the rule of a record stands.
fn origin(record: &Record, judging: &Judging) -> Option<String> {
    let rule = record.judgement.reason.rule.as_deref()?;
    let own = listed::origin_of(rule, judging.settings());
    own.or_else(|| {
        let builtin = belay_policy::rules().iter().any(|it| it.id == rule);
        builtin.then(|| "built in (policy/default.toml)".to_owned())
    })
}

fn later(journal: &Journal, record: &Record) -> Vec<String> {
    let answers = journal.answers().take_while(|it| it.at >= record.at);
    let answers = answers.filter(|it| it.of == record.id);
    let mut later: Vec<String> = answers
        .map(|it| format!("you said {} {}", it.said, it.learned.join("; ")))
        .collect();
    let ended = journal.outcomes().take_while(|it| it.at >= record.at);
    let mut ended = ended.filter(|it| {
        Some(&it.session) == record.call.session.as_ref()
            && Some(&it.call) == record.call.id.as_ref()
    });
    later.extend(ended.next().map(|it| format!("it {}", it.what)));
    later
}

/// Counts the same call before, by the index: the records themselves are not read.
fn same(journal: &Journal, record: &Record) -> Same {
    let mut same = Same::default();
    let own = Rows::of_records(std::iter::once(record.clone()));
    let Some(own) = own.all().first() else {
        return same;
    };
    let since = record.at.days_before(DAYS).unwrap_or_default();
    let rows = journal.rows(since);
    let alike = |it: &&Row| it.same == own.same && it.at < record.at;
    for it in rows.all().iter().filter(alike) {
        match it.kind {
            Kind::Call(Verdict::Allow) => same.allow += 1,
            Kind::Call(Verdict::Ask) => same.ask += 1,
            Kind::Call(Verdict::Deny) => same.deny += 1,
            Kind::Yes | Kind::No | Kind::Outcome => {}
        }
    }
    same
}

fn in_force(request: &Request) -> Result<RulesView, Failure> {
    let own = edit::Own::read()?;
    let mut view = RulesView {
        rules: listed::rows()?,
        path: own.path.display().to_string(),
        of: own.hash(),
        text: own.text.clone(),
        proposed: None,
    };
    let from = asked(request, "from").map(|id| record(&id));
    let Some(from) = from.transpose()?.flatten() else {
        return Ok(view);
    };
    let Some(rule) = suggest::rule_for(&from, &judging()?) else {
        return Ok(view);
    };
    let project = from.call.project_roots.first().unwrap_or(&from.call.cwd);
    let everywhere = asked(request, "reach").as_deref() == Some("everywhere");
    // Narrow unless somebody says otherwise.
    view.text = match everywhere {
        true => edit::with_rule(&own.text, &rule),
        false => edit::with_rule_in(&own.text, &rule, project),
    };
    view.proposed = Some(Proposed {
        project: project.clone(),
        everywhere,
        from: from.id.clone(),
    });
    Ok(view)
}

fn reviewed() -> Result<ReviewView, Failure> {
    let journal = journal()?;
    let since = Moment::now().days_before(DAYS).unwrap_or_default();
    let asks = journal.newest_of(move |_, row| {
        row.kind == Kind::Call(Verdict::Ask) && row.enforced && row.at >= since
    });
    let mut groups: BTreeMap<String, (Group, Vec<String>)> = BTreeMap::new();
    let asks: Vec<Record> = asks.take(BEFORE).collect();
    for record in &asks {
        let effects: Vec<String> = record
            .judgement
            .effects
            .iter()
            .map(ToString::to_string)
            .collect();
        let what = match effects.is_empty() {
            true => subject(&record.call),
            false => effects.join("; "),
        };
        let project = record
            .call
            .project_roots
            .first()
            .unwrap_or(&record.call.cwd)
            .clone();
        let (group, projects) = groups.entry(what.clone()).or_insert_with(|| {
            let group = Group {
                what,
                times: 0,
                projects: 0,
                newest: record.id.clone(),
            };
            (group, Vec::new())
        });
        group.times += 1;
        if !projects.contains(&project) {
            projects.push(project);
        }
        group.projects = projects.len();
    }
    let mut groups: Vec<Group> = groups
        .into_values()
        .map(|(it, _)| it)
        .filter(|it| it.times > 1)
        .collect();
    groups.sort_by_key(|it| std::cmp::Reverse(it.times));
    groups.truncate(50);
    let judging = judging()?;
    let proposals = suggest::proposals(asks, &judging).into_iter();
    let proposals = proposals.map(|(toml, told)| Proposal { toml, told });
    Ok(ReviewView {
        groups,
        proposals: proposals.collect(),
        agreed: grants::agreed()?,
    })
}
