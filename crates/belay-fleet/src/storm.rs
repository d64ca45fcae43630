//! Machines ship while each part that they need, and they themselves, are ended without a word.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::options::{Dice, Options};
use crate::parts::Stage;
use crate::{Outcome, say};

/// So many processes play all machines.
const PROCESSES: usize = 2;
/// So many are ended in a usual run.
const KILLS: usize = 24;
/// Nothing may take longer.
const PATIENCE: Duration = Duration::from_secs(3600);

struct Shippers {
    words: Vec<Vec<String>>,
    children: Vec<Option<Child>>,
}

impl Shippers {
    fn start(&mut self, at: usize) -> Outcome {
        let own = std::env::current_exe().map_err(|why| why.to_string())?;
        let words = self.words.get(at).ok_or("no such process")?;
        let child = Command::new(own).args(words).stdin(Stdio::null()).spawn();
        let child = child.map_err(|why| format!("cannot start machines: {why}"))?;
        if let Some(place) = self.children.get_mut(at) {
            *place = Some(child);
        }
        Ok(())
    }

    /// Returns which still run; one that ended by itself must have ended well.
    fn running(&mut self) -> Outcome<Vec<usize>> {
        let mut running = Vec::new();
        for (at, place) in self.children.iter_mut().enumerate() {
            let Some(child) = place else { continue };
            match child.try_wait().map_err(|why| why.to_string())? {
                None => running.push(at),
                Some(status) if status.success() => *place = None,
                Some(status) => return Err(format!("machines ended with {status}")),
            }
        }
        Ok(running)
    }

    fn kill(&mut self, at: usize) {
        if let Some(Some(child)) = self.children.get_mut(at) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Shippers {
    fn drop(&mut self) {
        (0..self.children.len()).for_each(|at| self.kill(at));
    }
}

/// Lets all machines write and ship, while somebody kills.
pub fn run(stage: &mut Stage, options: &Options) -> Outcome {
    let mut dice = Dice::new(options.seed);
    let each = options.machines.div_ceil(PROCESSES);
    let words = |at: usize| {
        let first = (at * each).min(options.machines);
        let count = each.min(options.machines - first);
        let folder = stage.root.join("machines").display().to_string();
        let numbers = [first, count, options.records].map(|it| it.to_string());
        let seed = options.seed.wrapping_add(at as u64).to_string();
        let mut words = vec!["machines".to_owned(), folder, stage.url()];
        words.extend(numbers);
        words.push(seed);
        words
    };
    let mut shippers = Shippers {
        words: (0..PROCESSES).map(words).collect(),
        children: (0..PROCESSES).map(|_| None).collect(),
    };
    for at in 0..PROCESSES {
        shippers.start(at)?;
    }
    let begun = Instant::now();
    let mut killed = [0; 3];
    let most = if options.long { 120 } else { KILLS };
    loop {
        let running = shippers.running()?;
        let Some(victim) =
            running.get(usize::try_from(dice.below(running.len() as u64)).unwrap_or(0))
        else {
            break;
        };
        if begun.elapsed() > PATIENCE {
            return Err("the machines do not come to an end".to_owned());
        }
        match dice.below(6) {
            // Who is killed all the time gets nothing done, and proves as little.
            _ if killed.iter().sum::<usize>() >= most => {}
            0 => {
                stage.postgres.kill();
                thread::sleep(Duration::from_millis(dice.below(300)));
                stage.postgres.rise()?;
                killed = [killed[0] + 1, killed[1], killed[2]];
            }
            1 | 2 => {
                stage.kill_receiver();
                thread::sleep(Duration::from_millis(dice.below(200)));
                stage.raise_receiver()?;
                killed = [killed[0], killed[1] + 1, killed[2]];
            }
            _ => {
                shippers.kill(*victim);
                shippers.start(*victim)?;
                killed = [killed[0], killed[1], killed[2] + 1];
            }
        }
        thread::sleep(Duration::from_millis(300 + dice.below(1500)));
    }
    let [database, receiver, shipper] = killed;
    say(&format!(
        "fleet: {} machines, {} records each, shipped in {:.1} s while kill -9 hit PostgreSQL {database} times, the receiver {receiver} and the shippers {shipper}",
        options.machines,
        options.records,
        begun.elapsed().as_secs_f64()
    ));
    Ok(())
}
