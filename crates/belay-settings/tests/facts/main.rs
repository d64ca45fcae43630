//! Facts about settings, in one program.

#[cfg(test)]
mod files;
#[cfg(test)]
mod stores;
#[cfg(test)]
mod strictness;
