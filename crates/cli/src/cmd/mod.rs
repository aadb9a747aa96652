//! The commands, one file each.

mod build_outputs;
pub mod cache;
mod caching;
pub mod check;
pub mod compile;
pub mod completions;
pub mod diff;
pub mod disasm;
pub mod doctor;
pub mod door;
pub mod explain;
mod explain_build;
mod fatbin;
pub mod info;
mod info_tables;
mod kernels;
pub mod link;
pub mod llvm;
pub mod man;
mod projection;
mod remote;
mod remote_check;
mod remote_table;
mod report_page;
mod request;
mod restart;
pub mod run;
pub mod split;
pub mod unit;
mod units;

use crate::Failure;
use raddle_cubin::Cubin;
use raddle_driver::codes;
use raddle_driver::input::{self, Content, Input};

/// Reads a cubin; any other file is an error.
fn read_cubin(path: &str) -> Result<Cubin, Failure> {
    let input = input::read(path)?;
    match input.content {
        Content::Elf(bytes) => parse_cubin(&input.name, &bytes),
        Content::Text(_) => Err(Failure::new(codes::E0005, format!("'{}' is text, not a cubin", input.name))),
        Content::Bitcode(_) | Content::Ir(_) | Content::LtoIr(_) => Err(is_ir(&input, "not a cubin")),
    }
}

/// The error for LLVM IR or LTO-IR where something else is expected.
fn is_ir(input: &Input, but: &str) -> Failure {
    let kind = if input.content.is_ir() { "LLVM IR" } else { "LTO-IR" };
    Failure::new(codes::E0005, format!("'{}' is {kind}, {but}; `raddle compile` compiles it", input.name))
}

/// Parses an ELF file as a cubin.
fn parse_cubin(name: &str, bytes: &[u8]) -> Result<Cubin, Failure> {
    Cubin::parse(bytes).map_err(|error| Failure::new(codes::E0006, format!("'{name}': {error}")))
}

/// A value as one line of JSON.
fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::new(codes::E0041, error.to_string()))?;
    Ok(text + "\n")
}
