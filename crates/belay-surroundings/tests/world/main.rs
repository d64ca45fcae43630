//! The world as it really is: files, links, repositories made by git itself.
#![cfg(test)]

mod dice;
mod disk;
mod history;
mod ignore;
mod processes;
mod repository;
mod sandbox;
mod session;
mod settings;
mod trees;
