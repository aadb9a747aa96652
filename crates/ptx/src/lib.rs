//! PTX text to tree and back: outline, bodies read on demand, instruction table, checks.
//!
//! Problem: PTX modules are large, often only one kernel is wrong or wanted, and every later stage
//! needs facts, not text. Strategy (D2): [`outline()`] reads everything outside bodies in one scan
//! at memory speed; [`parse_body`] reads one body into a packed tree ([`Body`]) and checks it
//! against the instruction table ([`table`]). Errors are collected: an error in one function hides
//! none in another.
//!
//! Invariants: printing and reading back is the identity; no function recurses on input depth; no
//! input panics.
#![forbid(unsafe_code)]

pub mod body;
mod brackets;
mod call;
mod check;
mod compose;
mod cursor;
mod decl;
mod dwarf;
pub mod errors;
pub mod examples;
mod explicit;
mod expr;
mod extract;
mod fields;
mod form;
mod fragment;
mod immediate;
mod implied;
mod index;
mod init;
mod local;
pub mod module;
mod operand;
mod order;
mod outline;
mod pack;
mod parse;
mod print;
mod range;
mod report;
mod scalars;
mod scope;
mod shapes;
mod special;
mod strings;
pub mod table;
pub mod tree;
pub mod ty;

pub use body::Body;
pub use compose::{Parts, compose};
pub use dwarf::{DebugSection, Hole, debug_sections};
pub use errors::CODES;
pub use extract::{extract, extract_object, extract_out_of_line};
pub use form::Scratch;
pub use init::{Contents, InitAddress, InitError, parse_body_init, parse_init};
pub use module::{Func, Global, Item, Linkage, Outline, Perf, Symbol};
pub use outline::{outline, outline_on};
pub use parse::{parse_body, parse_body_with};
pub use print::print_module;
pub use strings::DebugStrings;
pub use table::{FormId, Mod, Op};
pub use tree::*;
pub use ty::{Space, SpecialReg, Ty, TyClass};
