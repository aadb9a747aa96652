//! Parameter memory that must be memory.
//!
//! Problem: parts of parameters are usually registers ([`crate::cells`]), but not all can be. A
//! function may take the address of a parameter or of its result (PTX ISA 9.0, 7.1: such a
//! parameter is on the stack, its address one of local memory); two accesses may overlap in
//! different ways; a result of more than 48 bytes is in the caller's frame, at the address in the
//! first argument word ([`crate::out_of_line`]). Strategy: such a place is a local variable of its body,
//! and its loads and stores become accesses to local memory. Arguments are copied into it at the
//! entry of the function, and words out of it where calls and returns pass words in registers. For
//! a large result it is the memory at the caller's address instead of a variable.
//!
//! Invariants: a function with a parameter or result in memory is not inlined ([`crate::in_memory::has_own`]); which
//! places are memory depends only on the body and on the functions inlined in it.

use crate::build::Lower;
use crate::in_memory::Frame;
use crate::param_accesses::Cell;
use crate::reason::{Reason, unsupported};
use raddle_ir::{Cache, Mem, Mty, Op as I, Order, Prefetch, Scope, Slot, SlotData, Space, Value, Width};
use raddle_ptx::{Referent, Variable};

/// A weak access to local memory.
fn local(ty: Mty, offset: i32) -> Mem {
    Mem {
        space: Space::Local,
        ty,
        count: 1,
        order: Order::Weak,
        scope: Scope::None,
        cache: Cache::None,
        prefetch: Prefetch::None,
        offset,
    }
}

impl Lower<'_> {
    /// Returns the variable of a place in memory.
    pub(crate) fn home_slot(&mut self, place: Referent) -> Result<Slot, Reason> {
        let function = &self.input.outline.funcs[self.input.func];
        let declared: &Variable = match place {
            Referent::Var(var) => &self.input.body.vars[var],
            Referent::Param(n) => &function.params[n as usize],
            Referent::Ret(n) => &function.rets[n as usize],
            Referent::Global(_) | Referent::Func(_) => return unsupported("this parameter"),
        };
        let size = declared.size().and_then(|size| u32::try_from(size).ok()?.checked_next_multiple_of(4));
        let Some(size) = size else { return unsupported(format!("parameter `{}` has no size", declared.name)) };
        let (name, align) = (declared.name.to_string(), declared.alignment().max(4));
        let f = &mut self.f;
        Ok(*self
            .slots
            .entry(place)
            .or_insert_with(|| f.slots.push(SlotData { name, space: Space::Local, size, align, dynamic: false })))
    }

    /// Returns the address of a place in memory.
    pub(crate) fn home_address(&mut self, place: Referent, home: Frame) -> Result<Value, Reason> {
        match (home, self.results_at) {
            (Frame::Caller, Some(address)) => Ok(address),
            (Frame::Caller, None) => unsupported("the address of a return parameter"),
            (Frame::Own, _) => {
                let slot = self.home_slot(place)?;
                Ok(self.emit(I::SlotAddr(slot, 0), &[], Width::B32))
            }
        }
    }

    /// Loads `count` words of a place in memory.
    pub(crate) fn words_at_home(&mut self, place: Referent, home: Frame, count: u32) -> Result<Vec<Value>, Reason> {
        let address = self.home_address(place, home)?;
        let word = |n: u32| I::Load(local(Mty::B32, 4 * n as i32));
        Ok((0..count).map(|n| self.emit(word(n), &[address], Width::B32)).collect())
    }

    /// Stores words to a place in memory, from its first word on, as many as it has.
    pub(crate) fn set_words_at_home(&mut self, place: Referent, home: Frame, words: &[Value]) -> Result<(), Reason> {
        let count = match home {
            Frame::Own => {
                let slot = self.home_slot(place)?;
                self.f.slots[slot].size as usize / 4
            }
            Frame::Caller => words.len(),
        };
        let address = self.home_address(place, home)?;
        for (n, &word) in words.iter().enumerate().take(count) {
            self.emit_many(I::Store(local(Mty::B32, 4 * n as i32)), &[address, word], &[]);
        }
        Ok(())
    }

    /// Loads a part of a place in memory.
    pub(crate) fn load_at_home(&mut self, place: Referent, home: Frame, cell: &Cell) -> Result<Value, Reason> {
        let address = self.home_address(place, home)?;
        let mem = cell_access(cell)?;
        let value = self.emit(I::Load(mem), &[address], mem.ty.width());
        Ok(self.resize(value, cell.width, raddle_ir::Sign::U))
    }

    /// Stores a part of a place in memory.
    pub(crate) fn store_at_home(
        &mut self,
        place: Referent,
        home: Frame,
        cell: &Cell,
        value: Value,
    ) -> Result<(), Reason> {
        let address = self.home_address(place, home)?;
        let mem = cell_access(cell)?;
        let value = self.resize(value, mem.ty.width(), raddle_ir::Sign::U);
        self.emit_many(I::Store(mem), &[address, value], &[]);
        Ok(())
    }

    /// Copies the arguments of a called function that are in variables; `firsts`: the first word of
    /// each parameter.
    pub(crate) fn arguments_home(&mut self, firsts: &[u32]) -> Result<(), Reason> {
        let declared = &self.input.outline.funcs[self.input.func].params;
        for n in self.cells.in_memory.params() {
            let place = Referent::Param(n);
            let size = declared[n as usize].size().unwrap_or(0);
            let address = self.home_address(place, Frame::Own)?;
            for word in 0..size.div_ceil(4) as u32 {
                let argument = I::Argument((firsts[n as usize] + word) as u16);
                let value = self.emit(argument, &[], Width::B32);
                self.emit_many(I::Store(local(Mty::B32, 4 * word as i32)), &[address, value], &[]);
            }
        }
        Ok(())
    }
}

/// Returns the memory access of a part.
fn cell_access(cell: &Cell) -> Result<Mem, Reason> {
    let ty = match cell.bytes {
        1 => Mty::U8,
        2 => Mty::U16,
        4 => Mty::B32,
        8 => Mty::B64,
        _ => return unsupported(format!("an access of {} bytes to a parameter", cell.bytes)),
    };
    let offset = i32::try_from(cell.offset).map_err(|_| Reason("an access beyond the end of a parameter".into()))?;
    Ok(local(ty, offset))
}
