//! Requests that wait are written together: one transaction, one flush of the disk, many answers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::thread;
use std::time::Duration;

use crate::rows::Batch;
use crate::store::{Fault, Store};

/// So many requests wait at most for one writer; more are told to come back.
const MOST_WAITING: usize = 256;
/// So many rows go into one transaction at most.
const MOST_ROWS: usize = 20_000;
/// How long to wait for the store before the next attempt to reach it.
const PAUSE: Duration = Duration::from_millis(500);

/// What becomes of a request.
pub type Written = Result<(), Fault>;

struct Job {
    batch: Batch,
    answer: Sender<Written>,
}

/// Threads that write, each with a connection of its own.
#[derive(Clone)]
pub struct Writers {
    queues: Vec<SyncSender<Job>>,
}

impl Writers {
    /// Starts so many writers.
    ///
    /// # Errors
    /// Returns why a thread does not start.
    pub fn start(count: usize, address: &str) -> std::io::Result<Self> {
        let one = |_| {
            let (queue, jobs) = sync_channel(MOST_WAITING);
            let address = address.to_owned();
            let work = move || work(&address, &jobs);
            thread::Builder::new().spawn(work).map(|_| queue)
        };
        let queues = (0..count.max(1)).map(one).collect::<Result<_, _>>()?;
        Ok(Self { queues })
    }

    /// Writes a batch, and returns once it is on the disk or is not going to be. Rows of one sender go to one writer, so that
    /// writers never wait for each other's keys.
    pub fn write(&self, batch: Batch, sender: &str) -> Written {
        let away = || Fault::Away("too much is waiting".to_owned());
        let mut hash = DefaultHasher::new();
        sender.hash(&mut hash);
        let count = u64::try_from(self.queues.len()).unwrap_or(1);
        let at = usize::try_from(hash.finish() % count.max(1)).unwrap_or(0);
        let queue = self.queues.get(at).ok_or_else(away)?;
        let (answer, answered) = channel();
        match queue.try_send(Job { batch, answer }) {
            Ok(()) => answered.recv().unwrap_or_else(|_| Err(away())),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(away()),
        }
    }
}

fn work(address: &str, jobs: &Receiver<Job>) {
    let mut store = None;
    while let Ok(first) = jobs.recv() {
        let mut together = vec![first];
        let mut rows = 0;
        while rows < MOST_ROWS
            && let Ok(next) = jobs.try_recv()
        {
            rows += next.batch.decided;
            together.push(next);
        }
        let faults = match connected(&mut store, address) {
            Ok(store) => write_together(store, &together),
            Err(why) => vec![Err(why)],
        };
        let is_away = faults.iter().any(|it| matches!(it, Err(Fault::Away(_))));
        let mut faults = faults.into_iter();
        for job in together {
            let away = || Err(Fault::Away("the store does not answer".to_owned()));
            let _ = job.answer.send(faults.next().unwrap_or_else(away));
        }
        if is_away {
            // Whatever the connection was in the middle of is gone with it.
            store = None;
            thread::sleep(PAUSE);
        }
    }
}

fn connected<'a>(store: &'a mut Option<Store>, address: &str) -> Result<&'a mut Store, Fault> {
    match store {
        Some(store) => Ok(store),
        None => Ok(store.insert(Store::connect(address)?)),
    }
}

/// Writes all in one transaction; where rows of one are at fault, each alone, so that only that one is refused.
fn write_together(store: &mut Store, jobs: &[Job]) -> Vec<Written> {
    let mut all = Batch::default();
    jobs.iter().for_each(|it| all.join(&it.batch));
    let written = match store.write(&all) {
        Ok(()) => jobs.iter().map(|_| Ok(())).collect(),
        Err(Fault::Rows(_)) => jobs.iter().map(|it| store.write(&it.batch)).collect(),
        Err(Fault::Away(why)) => jobs
            .iter()
            .map(|_| Err(Fault::Away(why.clone())))
            .collect::<Vec<_>>(),
    };
    let told = |it: (&Job, Written)| {
        it.1?;
        let batch = &it.0.batch;
        let mut statuses = batch.statuses.iter();
        statuses.try_for_each(|it| store.tell(it, batch.team.as_deref()))
    };
    jobs.iter().zip(written).map(told).collect()
}
