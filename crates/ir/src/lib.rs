//! The width-typed SSA form between PTX and machine code: data, text form, verifier, analyses.
//!
//! Problem: PTX registers are mutable, untyped bits; the machine has 32-bit registers, predication
//! and convergence barriers. Neither form is suited to folding constants, sharing addresses or
//! reasoning about 64-bit values. Strategy (D1): an SSA form whose values know only their width
//! ([`Width`]), whose operations carry the rest (integer or float, rounding, flush to zero), with
//! block parameters instead of phis, several results where an instruction has several, explicit
//! carries, whole 64-bit values, and no predication: guards have become branches or selects.
//!
//! Invariants ([`verify`]): every use is dominated by its definition, every edge passes as many
//! values of the right widths as its target has parameters, operands and results have the widths
//! that the operation requires.
//!
//! Where to start reading: [`op`] (the operations), [`func`] (storage), [`text`] (text form).
#![forbid(unsafe_code)]

pub mod asynchrony;
pub mod cfg;
pub mod cx;
pub mod dom;
pub mod func;
mod ids;
pub mod lines;
pub mod live;
pub mod loops;
pub mod op;
pub mod order;
pub mod text;
pub mod texture;
pub mod tok;
pub mod types;
pub mod unit;
pub mod verify;
mod wgmma;

pub use asynchrony::{Bulk, BulkOp, BulkTy, BulkWay, ClusterOp, Is, MapOp, Mbar, MbarOp, Tensor, TensorOp};
pub use cx::{CacheRule, CodegenOptions, Cx, Observer, OptLevel, Stop, Unsupported};
pub use func::{
    Block, BlockData, Bounds, Function, Inst, InstData, Kind, Param, Slot, SlotData, SourcePos, SourcePosData, Sym,
    Target, Terminator, Value, ValueData, ValueDef,
};
pub use lines::{Lines, Loc, LocData, SourceFile};
pub use op::Op;
pub use order::Strength;
pub use texture::*;
pub use types::*;
pub use unit::Unit;
pub use wgmma::{Wgmma, WgmmaLeft};
