//! What a command's flags say of how it works, by the lists that name them.

use crate::effects::arrivals::Arrival;
use crate::machine::value::Arg;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Tells whether a flag of a list says so, alone, among other letters or cut short; or is a word that nobody knows.
    pub(crate) fn is_told(&self, list: &str, arrival: Arrival<'_>) -> bool {
        let program = arrival.flows.path.first().copied().unwrap_or_default();
        self.tells(list, program, arrival.args)
    }

    /// Tells whether words of a program say what the flags of a list do.
    pub(crate) fn tells(&self, list: &str, program: &str, args: &[Arg]) -> bool {
        let unknown = args.iter().skip(1).any(|it| it.text().is_none());
        let mut flags = self.scene.knowledge.all_said(list, program);
        unknown && flags.next().is_some() || self.tells_plainly(list, program, args)
    }

    /// Tells whether words of a program that are known say what the flags of a list do.
    pub(crate) fn tells_plainly(&self, list: &str, program: &str, args: &[Arg]) -> bool {
        let mut flags = self.scene.knowledge.all_said(list, program);
        let says = |flag: &str, word: &str| match flag.strip_prefix("--") {
            Some(_) => {
                let name = word.split('=').next().unwrap_or(word);
                name.len() > 2 && flag.starts_with(name)
            }
            None => {
                let letters = word.strip_prefix('-').filter(|it| !it.starts_with('-'));
                let letter = flag.trim_start_matches('-');
                letters.is_some_and(|it| it.contains(letter))
            }
        };
        flags.any(|flag| {
            let mut words = args.iter().skip(1);
            words.any(|it| it.text().is_some_and(|it| says(flag, it)))
        })
    }

    /// Tells whether a command was told to leave what is there, and nothing else about it.
    pub(crate) fn spares(&self, program: &str, args: &[Arg]) -> bool {
        let knowledge = self.scene.knowledge;
        let flags: Vec<&str> = knowledge
            .all_said("leaves-what-is-there", program)
            .collect();
        let words = || args.iter().skip(1).map(|it| it.text().unwrap_or("-?"));
        // Of several flags that speak of it the last one may count: letters that may say otherwise are none of these.
        let other = |it: &str| {
            let short = it.strip_prefix('-').filter(|it| !it.starts_with('-'));
            short.is_some_and(|it| it.contains(['f', 'i', 'u', '?']))
                || it.starts_with("--f")
                || it.starts_with("--i")
                || it.starts_with("--u")
        };
        let (told, rest): (Vec<&str>, Vec<&str>) = words().partition(|it| flags.contains(it));
        !told.is_empty() && !rest.into_iter().any(other)
    }
}
