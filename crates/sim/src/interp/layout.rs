//! Functions, and the addresses of everything that a body can refer to.

use super::code::{ArgPlace, Decoded, Row, RowInit};
use crate::mem::SHARED_WINDOW_HI;
use crate::system::System;
use raddle_ptx::{FuncId, GlobalId, InitAddress, Outline, Space, Symbol, VarId};
use rustc_hash::FxHashMap;

/// Code addresses: the values of `mov` of a function's name. They are not readable.
const CODE_BASE: u64 = 0x5c00_0000_0000;
/// Distance of two code addresses.
const CODE_STEP: u64 = 0x100;

/// The place of a register.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its first row, or its predicate.
    pub at: u32,
    /// Bits of an element; 1 for a predicate.
    pub bits: u8,
    /// Number of elements.
    pub width: u8,
}

/// A decoded function.
#[derive(Clone, Debug)]
pub struct Function {
    pub id: FuncId,
    pub name: String,
    /// First step.
    pub start: u32,
    /// Width in bits of each row; row 0 is the zero row.
    pub rows: Vec<u8>,
    /// Number of predicates; predicate 0 is true.
    pub preds: u32,
    /// Initial contents of rows.
    pub inits: Vec<(Row, RowInit)>,
    /// Bytes of the frame in local memory.
    pub frame_bytes: u32,
    /// Alignment of the frame.
    pub frame_align: u32,
    /// Places of parameters and results.
    pub params: Vec<ArgPlace>,
    pub rets: Vec<ArgPlace>,
    /// Row, or predicate, of each register of the body.
    pub slots: Vec<Slot>,
    /// Registers of `wgmma` that other instructions access, with their names, by the first step of
    /// the instruction.
    pub watched: FxHashMap<u32, Vec<(Row, String)>>,
}

/// Addresses of everything a body can refer to.
pub struct Layout<'a> {
    pub outline: &'a Outline,
    /// Functions in the order of their code addresses; the kernel first.
    pub functions: Vec<FuncId>,
    pub globals: FxHashMap<GlobalId, u64>,
    pub body_vars: FxHashMap<(FuncId, VarId), u64>,
    /// Address of each kernel parameter.
    pub params: Vec<u64>,
    /// Whether blocks are in clusters, and whether the launch or the kernel says so.
    pub clustered: bool,
    /// The value of `%is_explicit_cluster`.
    pub explicit_cluster: bool,
    /// The SM whose tensor cores multiply matrices; 0 if it is not known.
    pub sm: u32,
}

impl Layout<'_> {
    pub fn func(&self, id: FuncId) -> &raddle_ptx::Func {
        &self.outline.funcs[id]
    }

    pub fn global(&self, id: GlobalId) -> Decoded<u64> {
        self.globals.get(&id).copied().ok_or_else(|| format!("variable {}", self.outline.globals[id].var.name))
    }

    pub fn space(&self, id: GlobalId) -> Space {
        self.outline.globals[id].var.space
    }

    pub fn body_var(&self, func: FuncId, var: VarId) -> Decoded<u64> {
        self.body_vars.get(&(func, var)).copied().ok_or_else(|| "variable in this state space".into())
    }

    pub fn kernel_param(&self, n: u32) -> Decoded<u64> {
        self.params.get(n as usize).copied().ok_or_else(|| "parameter out of range".into())
    }

    /// Returns the word of an address in an initial value.
    pub fn initial(&self, address: &InitAddress) -> Decoded<u64> {
        let word = match self.outline.symbol(&address.symbol) {
            Some(Symbol::Global(id)) => {
                let window = match self.space(id) {
                    Space::Shared if address.generic => u64::from(SHARED_WINDOW_HI) << 32,
                    _ => 0,
                };
                window | self.global(id)?
            }
            Some(Symbol::Func(func)) => self.code_address(self.outline.meant(func)).unwrap_or(0),
            None => return Err(format!("{} in an initial value", address.symbol)),
        };
        let word = word.wrapping_add(address.addend as u64) >> address.shift.min(63);
        Ok(word & u64::MAX >> (64 - 8 * address.bytes.clamp(1, 8)))
    }

    /// Returns the index of a decoded function.
    pub fn callee(&self, func: FuncId) -> Decoded<u32> {
        let index = self.functions.iter().position(|&f| f == func);
        index.map(|i| i as u32).ok_or_else(|| format!("call of {}, which has no body", self.outline.funcs[func].name))
    }

    /// Returns the driver function that a function without a body is.
    pub fn system(&self, func: FuncId) -> Option<System> {
        let func = &self.outline.funcs[func];
        System::by_name(&func.name).filter(|_| func.body.is_none())
    }

    pub fn code_address(&self, func: FuncId) -> Decoded<u64> {
        Ok(CODE_BASE + CODE_STEP * u64::from(self.callee(func)?))
    }
}

/// Returns the function at a code address.
pub fn function_at(address: u64) -> Option<usize> {
    let offset = address.checked_sub(CODE_BASE)?;
    (offset % CODE_STEP == 0).then_some((offset / CODE_STEP) as usize)
}
