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
//! Invariants: a function with a parameter or result in memory is not inlined ([`has_own`]); which
//! places are memory depends only on the body and on the functions inlined in it.

use crate::Input;
use crate::build::{Lower, Reason, unsupported};
use crate::call::Callees;
use crate::cells::{self, Cell};
use crate::out_of_line::{is_out_of_line, returns_memory, signature};
use raddle_ir::{Cache, Mem, Mty, Op as I, Order, Prefetch, Scope, Slot, SlotData, Space, Value, Width};
use raddle_ptx::{Base, Body, Op, Operand, Referent, Space as PtxSpace, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes of a part in registers.
const CELL: u32 = 8;

/// The location of a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// In a local variable of the body.
    Own,
    /// In the caller's frame.
    Caller,
}

/// The places of a body that are memory; all others are cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Homes(BTreeMap<Referent, Home>);

impl Homes {
    /// Finds the places that are memory. `called`: the function is lowered as one that is called;
    /// otherwise it is a kernel, or inlined.
    pub(crate) fn of(input: &Input<'_>, callees: &Callees, called: bool) -> Homes {
        let (body, function) = (input.body, &input.outline.funcs[input.func]);
        let calls = || body.insts.keys().filter(|&inst| body.op(inst) == Op::Call);
        let mut homes = Homes::default();
        if function.entry && calls().next().is_none() {
            return homes;
        }
        let parts = Parts::of(body, function.entry);
        let addressed = addressed(body).filter(|_| !function.entry);
        homes.0.extend(parts.mixed().chain(addressed).map(|place| (place, Home::Own)));
        if called && returns_memory(&function.rets) {
            homes.0.insert(Referent::Ret(0), Home::Caller);
        }
        for inst in calls() {
            let (rets, args) = cells::call_places(body, inst);
            if is_out_of_line(input, inst) {
                if signature(input, inst).is_ok_and(|(_, results)| returns_memory(results)) {
                    homes.0.extend(rets.first().map(|&place| (place, Home::Own)));
                }
                continue;
            }
            let callee = cells::callee(body, inst).and_then(|sym| match body.syms[sym].referent {
                Referent::Func(id) => callees.get(&id)?.as_ref().ok(),
                _ => None,
            });
            let Some(callee) = callee else { continue };
            let inputs = callee.inputs.iter().map(|(cell, _)| (cell, &args));
            let outputs = callee.outputs.iter().flat_map(|(_, list)| list).map(|(cell, _)| (cell, &rets));
            for (cell, places) in inputs.chain(outputs) {
                let (Referent::Param(n) | Referent::Ret(n)) = cell.place else { continue };
                if let Some(&place @ Referent::Var(_)) = places.get(n as usize)
                    && !parts.agree(place, cell)
                {
                    homes.0.insert(place, Home::Own);
                }
            }
        }
        homes
    }

    /// Returns the location of a place, if it is memory.
    pub(crate) fn get(&self, place: Referent) -> Option<Home> {
        self.0.get(&place).copied()
    }

    /// Returns the positions of the function's own parameters that are memory.
    fn params(&self) -> Vec<u32> {
        self.0.keys().filter_map(|p| if let Referent::Param(n) = p { Some(*n) } else { None }).collect()
    }

    /// Whether a parameter or a result of the function itself is memory.
    pub(crate) fn any_own(&self) -> bool {
        self.0.keys().any(|p| matches!(p, Referent::Param(_) | Referent::Ret(_)))
    }
}

/// Whether a parameter or result of the function must be memory, so that it cannot be inlined.
pub(crate) fn has_own(body: &Body) -> bool {
    let own = |p: Referent| matches!(p, Referent::Param(_) | Referent::Ret(_));
    addressed(body).any(own) || Parts::of(body, false).mixed().any(own)
}

/// Places of parameter memory whose address is taken.
fn addressed(body: &Body) -> impl Iterator<Item = Referent> + '_ {
    let insts = body.insts.keys().filter(|&inst| body.op(inst) != Op::Call);
    let named = insts.flat_map(|inst| {
        let moves = matches!(body.op(inst), Op::Ld | Op::St);
        body.operands(inst).into_iter().filter_map(move |operand| match operand {
            Operand::Symbol(sym, _) => Some(sym),
            Operand::Addr(Base::Sym(sym), _) if !moves => Some(sym),
            _ => None,
        })
    });
    named.map(|sym| body.syms[sym].referent).filter(|place| match place {
        Referent::Var(var) => body.vars[*var].space == PtxSpace::Param,
        Referent::Param(_) | Referent::Ret(_) => true,
        Referent::Global(_) | Referent::Func(_) => false,
    })
}

/// The bytes that accesses touch in each place: first byte and size, ascending.
struct Parts(BTreeMap<Referent, BTreeSet<(i64, u32)>>);

impl Parts {
    fn of(body: &Body, entry: bool) -> Parts {
        let mut parts: BTreeMap<Referent, BTreeSet<(i64, u32)>> = BTreeMap::new();
        for inst in body.insts.keys() {
            let Some((place, offset, ty, count)) = cells::access(body, entry, inst) else { continue };
            let one = |n: i64| (offset + n * i64::from(ty.bytes()), ty.bytes());
            parts.entry(place).or_default().extend((0..i64::from(count)).map(one));
        }
        Parts(parts)
    }

    /// Returns the places with accesses that overlap in part, or that are larger than a cell.
    fn mixed(&self) -> impl Iterator<Item = Referent> + '_ {
        let mixed = |list: &&BTreeSet<(i64, u32)>| {
            let overlap = |((at, bytes), (next, _)): (&(i64, u32), &(i64, u32))| at + i64::from(*bytes) > *next;
            list.iter().zip(list.iter().skip(1)).any(overlap) || list.iter().any(|&(_, bytes)| bytes > CELL)
        };
        self.0.iter().filter(move |(_, list)| mixed(list)).map(|(&place, _)| place)
    }

    /// Whether a part in another function is also a part of this place, or overlaps none of its
    /// parts.
    fn agree(&self, place: Referent, cell: &Cell) -> bool {
        let Some(list) = self.0.get(&place) else { return true };
        let end = cell.offset + i64::from(cell.bytes);
        list.contains(&(cell.offset, cell.bytes))
            || !list.iter().any(|&(at, bytes)| at < end && cell.offset < at + i64::from(bytes))
    }
}

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
    pub(crate) fn home_address(&mut self, place: Referent, home: Home) -> Result<Value, Reason> {
        match (home, self.results_at) {
            (Home::Caller, Some(address)) => Ok(address),
            (Home::Caller, None) => unsupported("the address of a return parameter"),
            (Home::Own, _) => {
                let slot = self.home_slot(place)?;
                Ok(self.emit(I::SlotAddr(slot, 0), &[], Width::B32))
            }
        }
    }

    /// Loads `count` words of a place in memory.
    pub(crate) fn words_at_home(&mut self, place: Referent, home: Home, count: u32) -> Result<Vec<Value>, Reason> {
        let address = self.home_address(place, home)?;
        let word = |n: u32| I::Load(local(Mty::B32, 4 * n as i32));
        Ok((0..count).map(|n| self.emit(word(n), &[address], Width::B32)).collect())
    }

    /// Stores words to a place in memory, from its first word on, as many as it has.
    pub(crate) fn set_words_at_home(&mut self, place: Referent, home: Home, words: &[Value]) -> Result<(), Reason> {
        let count = match home {
            Home::Own => {
                let slot = self.home_slot(place)?;
                self.f.slots[slot].size as usize / 4
            }
            Home::Caller => words.len(),
        };
        let address = self.home_address(place, home)?;
        for (n, &word) in words.iter().enumerate().take(count) {
            self.emit_many(I::Store(local(Mty::B32, 4 * n as i32)), &[address, word], &[]);
        }
        Ok(())
    }

    /// Loads a part of a place in memory.
    pub(crate) fn load_at_home(&mut self, place: Referent, home: Home, cell: &Cell) -> Result<Value, Reason> {
        let address = self.home_address(place, home)?;
        let mem = cell_access(cell)?;
        let value = self.emit(I::Load(mem), &[address], mem.ty.width());
        Ok(self.resize(value, cell.width, raddle_ir::Sign::U))
    }

    /// Stores a part of a place in memory.
    pub(crate) fn store_at_home(
        &mut self,
        place: Referent,
        home: Home,
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
        for n in self.cells.homes.params() {
            let place = Referent::Param(n);
            let size = declared[n as usize].size().unwrap_or(0);
            let address = self.home_address(place, Home::Own)?;
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
