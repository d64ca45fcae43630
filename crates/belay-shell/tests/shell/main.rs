//! What bash does, line by line: facts, executions, differences with other parsers, properties.

mod acceptance;
mod gotchas;
mod oracle;
mod probes;
mod walk;
