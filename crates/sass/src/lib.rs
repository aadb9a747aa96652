//! SASS machine instructions: tables, encoder, decoder, printer, effects and timing facts.
//!
//! One row of `isa/*.txt` describes one instruction form completely; `cargo xtask gen` generates
//! `gen::ROWS` from it, and everything here reads that table. [`decode`] and [`encode`] are inverse
//! to each other, [`fn@print`] gives nvdisasm's text.
#![forbid(unsafe_code)]

pub mod code;
pub mod effects;
pub mod form;
pub mod r#gen;
pub mod inst;
pub mod latency;
pub mod print;
pub mod row;
pub mod texture;
pub mod units;

pub use code::{DecodeError, EncodeError, decode, encode};
pub use effects::{Accesses, GUARD_SLOT, RegAccess};
pub use form::{BuildError, Mnemonic, build};
pub use r#gen::{Class, Field, Mod, Op};
pub use inst::{Ctrl, Guard, Inst, Kind, Operand, PT, RZ, URZ};
pub use latency::{Consumer, Latency, Producer, latency};
pub use print::print;
pub use row::{Access, Effects, File, Isa, Row, RowId, Slot, SlotRole, Space, Width};
pub use units::{Pipe, Queue};
