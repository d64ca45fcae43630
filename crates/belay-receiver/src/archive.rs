//! Old days as files: lines of JSON, packed, and then the partition goes.

use std::io::Write;
use std::path::{Path, PathBuf};

use belay_journal::calendar::Moment;
use belay_ship::gzip;
use belay_store::{Access, Draft, Lasts};
use postgres::fallible_iterator::FallibleIterator;

use crate::store::{Fault, Store};

/// So many bytes are packed at once: a file of gzip may have many parts.
const PART: usize = 4 * 1024 * 1024;

/// A day that became a file.
pub struct Archived {
    /// The file.
    pub file: PathBuf,
    /// How many rows it holds.
    pub rows: u64,
}

/// Writes every day before a moment to a file of its own in a folder, and drops it from the store once the file is on the disk.
///
/// # Errors
/// Returns why a day is still in the store.
pub fn archive(store: &mut Store, folder: &Path, before: Moment) -> Result<Vec<Archived>, Fault> {
    belay_store::make_folder(folder)?;
    let first = before.date().replace('-', "");
    let mut done = Vec::new();
    for table in ["decision", "follow"] {
        for partition in partitions(store, table)? {
            let day = partition.rsplit('_').next().unwrap_or_default();
            if day.len() == first.len() && *day < *first {
                let file = folder.join(format!("{partition}.jsonl.gz"));
                let rows = save(store, &partition, &file)?;
                store
                    .client()
                    .batch_execute(&format!("DROP TABLE {partition}"))?;
                done.push(Archived { file, rows });
            }
        }
    }
    Ok(done)
}

fn partitions(store: &mut Store, table: &str) -> Result<Vec<String>, Fault> {
    let text = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = $1::text::regclass ORDER BY 1";
    let rows = store.client().query(text, &[&table])?;
    Ok(rows.iter().map(|it| it.get(0)).collect())
}

fn save(store: &mut Store, partition: &str, file: &Path) -> Result<u64, Fault> {
    let mut draft = Draft::new(file, Access::Private)?;
    let text = format!("SELECT row_to_json(it)::text FROM {partition} AS it ORDER BY at");
    let none: [&str; 0] = [];
    let mut rows = store.client().query_raw(&text, none)?;
    let (mut part, mut count) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        part.write_all(row.get::<_, &str>(0).as_bytes())?;
        part.push(b'\n');
        count += 1;
        if part.len() >= PART {
            draft.fill(&gzip::pack(&part), Lasts::WhileItMay)?;
            part.clear();
        }
    }
    draft.fill(&gzip::pack(&part), Lasts::ThroughCrashes)?;
    draft.replace()?;
    Ok(count)
}
