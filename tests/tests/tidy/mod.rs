//! The rules of the project, as tests. Each rule is one file, each exception a line with its
//! reason.

mod circles;
mod crates;
mod frontend;
mod functions;
mod ids;
mod makefile;
mod packages;
mod prose;
mod source;
mod tree;
