//! Facts about settings, in one program.

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod files;
#[cfg(test)]
mod stores;
#[cfg(test)]
mod strictness;
