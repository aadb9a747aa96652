//! SASS machine instructions: tables, encoder, decoder, printer, effects and timing facts.
#![forbid(unsafe_code)]

pub mod r#gen;
pub mod inst;
pub mod row;

pub use r#gen::{Class, Field, Mod, Op};
pub use inst::{Ctrl, Guard, Inst, Kind, Operand, PT, RZ, URZ};
pub use row::{Isa, Row, RowId, SlotRole};
