//! Units that are compiled elsewhere: by an engine in this process that fails on purpose, by a program
//! that the command starts for each, and through a folder.
#![forbid(unsafe_code)]

#[path = "../common/mod.rs"]
mod common;

mod builds;
mod command;
mod fake;
mod faults;
mod folder;
mod separate;
