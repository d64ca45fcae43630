//! Plots as SVG that stands in the page: no script draws them, and each says in words what it shows.

use crate::html::{Html, el};

const WIDTH: u64 = 720;
const HEIGHT: u64 = 180;
const LEFT: u64 = 56;
const BOTTOM: u64 = 22;
const TOP: u64 = 8;

/// One thing that is counted, with the class that colours it.
#[derive(Clone, Debug)]
pub struct Series {
    /// What it is called.
    pub name: &'static str,
    /// The class of its marks.
    pub class: &'static str,
    /// A value for each place on the axis.
    pub values: Vec<u64>,
}

/// What a plot shows.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its heading.
    pub title: &'static str,
    /// What the places on the axis are called.
    pub labels: Vec<String>,
    /// What is shown.
    pub series: Vec<Series>,
    /// How values are written: so many of them make one of the unit.
    pub per: u64,
    /// The unit.
    pub unit: &'static str,
}

impl Plot {
    /// Draws bars that stand on each other.
    #[must_use]
    pub fn bars(&self) -> Html {
        let count = self.labels.len().max(1) as u64;
        let total =
            |at: usize| -> u64 { self.series.iter().filter_map(|it| it.values.get(at)).sum() };
        let most = (0..self.labels.len()).map(total).max().unwrap_or(0).max(1);
        let step = (WIDTH - LEFT) * 100 / count;
        let width = (step * 8 / 10).clamp(50, 4000);
        let mut marks = Html::new();
        for (at, label) in self.labels.iter().enumerate() {
            let mut below = 0;
            let mut said = vec![label.clone()];
            let mut bar = Html::new();
            for series in &self.series {
                let value = series.values.get(at).copied().unwrap_or(0);
                said.push(format!("{} {}", self.written(value), series.name));
                let (from, to) = (self.y(below + value, most), self.y(below, most));
                below += value;
                if value == 0 {
                    continue;
                }
                bar.push(
                    el("rect")
                        .set("class", series.class)
                        .set("x", hundredths(LEFT * 100 + at as u64 * step))
                        .set("y", from.to_string())
                        .set("width", hundredths(width))
                        .set("height", to.saturating_sub(from).max(1).to_string()),
                );
            }
            marks.push(el("g").with(el("title").with(said.join(", "))).with(bar));
        }
        self.framed(marks, most)
    }

    /// Draws a line for each series.
    #[must_use]
    pub fn lines(&self) -> Html {
        let count = self.labels.len().max(2) as u64 - 1;
        let values = self.series.iter().flat_map(|it| it.values.iter());
        let most = values.copied().max().unwrap_or(0).max(1);
        let step = (WIDTH - LEFT - 8) * 100 / count;
        let mut marks = Html::new();
        for series in &self.series {
            let place = |(at, value): (u64, &u64)| {
                format!(
                    "{},{}",
                    hundredths(LEFT * 100 + at * step),
                    self.y(*value, most)
                )
            };
            let points: Vec<String> = (0..).zip(&series.values).map(place).collect();
            marks.push(
                el("polyline")
                    .set("class", series.class)
                    .set("points", points.join(" ")),
            );
            for ((at, value), label) in (0..).zip(&series.values).zip(&self.labels) {
                marks.push(
                    el("circle")
                        .set("class", series.class)
                        .set("cx", hundredths(LEFT * 100 + at * step))
                        .set("cy", self.y(*value, most).to_string())
                        .set("r", "3")
                        .with(el("title").with(format!(
                            "{label}: {} {}",
                            self.written(*value),
                            series.name
                        ))),
                );
            }
        }
        self.framed(marks, most)
    }

    fn framed(&self, marks: Html, most: u64) -> Html {
        let mut svg = el("svg")
            .set("viewBox", format!("0 0 {WIDTH} {HEIGHT}"))
            .set("role", "img")
            .set("aria-label", self.said());
        for part in [0, most / 2, most] {
            let y = self.y(part, most).to_string();
            svg = svg
                .with(
                    el("line")
                        .set("class", "grid")
                        .set("x1", LEFT.to_string())
                        .set("x2", WIDTH.to_string())
                        .set("y1", &y)
                        .set("y2", &y),
                )
                .with(
                    el("text")
                        .set("class", "end")
                        .set("x", (LEFT - 6).to_string())
                        .set("y", (self.y(part, most) + 4).to_string())
                        .with(self.written(part)),
                );
        }
        let ends = [
            (self.labels.first(), LEFT, "begin"),
            (
                self.labels.last().filter(|_| self.labels.len() > 1),
                WIDTH,
                "end",
            ),
        ];
        for (label, x, class) in ends {
            let Some(label) = label else { continue };
            let place = el("text").set("class", class).set("x", x.to_string());
            svg = svg.with(place.set("y", (HEIGHT - 5).to_string()).with(label));
        }
        let key = self.series.iter().map(|it| {
            let mark = el("i").set("class", it.class).with("");
            el("span").with(mark).with(" ").with(it.name)
        });
        el("figure")
            .with(
                el("figcaption")
                    .with(self.title)
                    .with(el("span").set("class", "key").all(key)),
            )
            .with(svg.with(marks))
            .into()
    }

    /// Says the plot in one sentence, for who does not see it.
    fn said(&self) -> String {
        let series = self.series.iter().map(|it| {
            let newest = it.values.last().copied().unwrap_or(0);
            let most = it.values.iter().copied().max().unwrap_or(0);
            format!(
                "{}: {} last, {} at most",
                it.name,
                self.written(newest),
                self.written(most)
            )
        });
        let series: Vec<String> = series.collect();
        format!(
            "{}, {} places. {}",
            self.title,
            self.labels.len(),
            series.join("; ")
        )
    }

    fn written(&self, value: u64) -> String {
        let per = self.per.max(1);
        let number = match per {
            1 => value.to_string(),
            _ => format!("{}.{}", value / per, value % per * 10 / per),
        };
        format!("{number}{}", self.unit)
    }

    const fn y(&self, value: u64, most: u64) -> u64 {
        let room = HEIGHT - BOTTOM - TOP;
        HEIGHT - BOTTOM - value * room / most
    }
}

fn hundredths(value: u64) -> String {
    format!("{}.{:02}", value / 100, value % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_says_what_it_shows() {
        let plot = Plot {
            title: "Verdicts",
            labels: vec!["Mon".to_owned(), "<Tue>".to_owned()],
            series: vec![Series {
                name: "allowed",
                class: "allow",
                values: vec![3, 5],
            }],
            per: 1,
            unit: "",
        };
        let bars = plot.bars().into_string();
        assert!(bars.contains("aria-label=\"Verdicts, 2 places. allowed: 5 last, 5 at most\""));
        assert!(bars.contains("&lt;Tue&gt;, 5 allowed"), "{bars}");
        assert!(plot.lines().into_string().contains("<polyline"));
        let none = Plot {
            labels: Vec::new(),
            series: Vec::new(),
            ..plot
        };
        assert!(none.bars().into_string().starts_with("<figure>"));
        assert!(none.lines().into_string().starts_with("<figure>"));
    }
}
