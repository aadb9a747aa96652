//! Calls that are not inlined, and the functions that they call.
//!
//! Problem: recursive functions, those defined in another object, and those called through an
//! address cannot be inlined. They are compiled separately and called by the convention of the
//! platform. Strategy: parameter memory becomes words in registers here, so that the call
//! operations have 32-bit words only: operand or result n is the n-th word.
//!
//! The convention ("ptxas 13.0.88 output", objects made with `-c`): each parameter takes the lowest
//! free words of its alignment, of twelve for arguments, so that a later 32-bit argument fills a
//! gap before a 64-bit one; results likewise. The rest goes on the stack, each parameter with its
//! alignment, at least 4 bytes. Parameters of 1 and 2 bytes are in the low bits of their word. A
//! result of more than 48 bytes is in memory ([`crate::places`]): the caller passes a 32-bit
//! address of local memory, aligned as the result, in the first word, and arguments begin in the
//! second.

use crate::build::Lower;
use crate::callees::order_of;
use crate::convention::{OutOfLine, returns_memory, signature, word_of, words};
use crate::in_memory;
use crate::param_accesses::{self, Cell};
use crate::reason::{Reason, unsupported};
use raddle_entity::{FxHashMap, FxHashSet};
use raddle_ir::{Function, Inst, Kind, Op as I, Sign, Value, Width};
use raddle_ptx::{Body, FuncId, InstId, Linkage, Operand, Outline, Referent};
use smallvec::SmallVec;

impl OutOfLine {
    /// Finds the functions of a module that are not inlined; all if `debug`. `elsewhere`: whether
    /// another module of the program defines this name, too; `defined`: whether any module defines
    /// it for the others.
    pub fn of(
        outline: &Outline,
        bodies: &FxHashMap<FuncId, Body>,
        external: bool,
        debug: bool,
        elsewhere: &dyn Fn(&str) -> bool,
        defined: &dyn Fn(&str) -> bool,
    ) -> OutOfLine {
        let mut called = recursive(bodies);
        called.extend(bodies.keys().filter(|_| debug));
        let replaced = |id: FuncId| {
            let function = &outline.funcs[id];
            function.linkage == Linkage::Weak && (external || elsewhere(&function.name))
        };
        called.extend(bodies.iter().filter(|(id, body)| replaced(**id) || in_memory::has_own(body)).map(|(&id, _)| id));
        let declared = outline.funcs.iter().filter(|(_, f)| f.body.is_none() && defined(&f.name));
        called.extend(declared.map(|(id, _)| id));
        OutOfLine { called, external }
    }

    /// Whether another compiler may have compiled a function that is called: it is in an object that
    /// is linked later. This depends on the module alone, as the key of code does. The driver's
    /// functions call none by address, from which the lanes of a warp come back apart.
    fn is_foreign(&self, function: &raddle_ptx::Func) -> bool {
        let elsewhere = match function.body {
            Some(_) => function.linkage == Linkage::Weak,
            None => !raddle_target::is_system_call(&function.name),
        };
        self.external && elsewhere
    }
}

/// Returns the recursive functions, by direct calls (Tarjan's components, without recursion).
fn recursive(bodies: &FxHashMap<FuncId, Body>) -> FxHashSet<FuncId> {
    #[derive(Clone, Copy)]
    struct Seen {
        number: u32,
        low: u32,
        open: bool,
    }
    let mut out = FxHashSet::default();
    let mut seen: FxHashMap<FuncId, Seen> = FxHashMap::default();
    let mut component: Vec<FuncId> = Vec::new();
    let mut roots: Vec<FuncId> = bodies.keys().copied().collect();
    roots.sort_unstable();
    for root in roots {
        if seen.contains_key(&root) {
            continue;
        }
        let mut stack: Vec<(FuncId, Vec<FuncId>, usize)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(id) = enter.take() {
                let number = seen.len() as u32;
                seen.insert(id, Seen { number, low: number, open: true });
                component.push(id);
                let list = bodies.get(&id).map_or(Vec::new(), order_of);
                if list.contains(&id) {
                    out.insert(id);
                }
                stack.push((id, list, 0));
            }
            let Some((id, list, next)) = stack.last_mut() else { break };
            let id = *id;
            if let Some(&callee) = list.get(*next) {
                *next += 1;
                match seen.get(&callee).copied() {
                    None => enter = Some(callee),
                    Some(s) if s.open => {
                        if let Some(mine) = seen.get_mut(&id) {
                            mine.low = mine.low.min(s.number);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            stack.pop();
            let Some(mine) = seen.get(&id).copied() else { continue };
            if let Some((parent, ..)) = stack.last()
                && let Some(above) = seen.get_mut(parent)
            {
                above.low = above.low.min(mine.low);
            }
            if mine.low == mine.number {
                let from = component.iter().rposition(|&x| x == id).unwrap_or(0);
                let members = component.split_off(from);
                for m in &members {
                    if let Some(s) = seen.get_mut(m) {
                        s.open = false;
                    }
                }
                if members.len() > 1 {
                    out.extend(members);
                }
            }
        }
    }
    out
}

impl Lower<'_> {
    /// Lowers a call of a function by name.
    pub(crate) fn call_out_of_line(&mut self, inst: InstId, id: FuncId) -> Result<(), Reason> {
        let function = &self.input.outline.funcs[id];
        let name = self.symbol(&function.name, 1);
        self.f.foreign[name] = self.input.out_of_line.is_some_and(|out_of_line| out_of_line.is_foreign(function));
        self.call_words(inst, I::Call(name), &[])
    }

    /// Lowers a call of the function at an address (PTX ISA 9.0, 9.7.12.5).
    pub(crate) fn call_at(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let Some(out_of_line) = self.input.out_of_line else { return unsupported("an indirect call") };
        let address = match body.operand(inst, 1) {
            Some(Operand::Reg(reg)) => self.read(reg.as_u32())?,
            _ => return unsupported("this operand of an indirect call"),
        };
        // The upper half of a 32-bit address is zero (ptxas 13.0.88 output).
        let address = match self.f.width(address) {
            Width::B32 => self.resize(address, Width::B64, Sign::U),
            Width::B64 => address,
            _ => return unsupported("an indirect call through an address that is not 32 or 64 bits wide"),
        };
        self.f.foreign_addresses |= out_of_line.external;
        self.call_words(inst, I::CallAt, &[address])
    }

    /// Returns the address of a function as a symbol; an error where functions have none.
    pub(crate) fn function_symbol(&mut self, id: FuncId) -> Result<raddle_ir::Sym, Reason> {
        let name = &self.input.outline.funcs[id].name;
        match self.input.out_of_line {
            Some(_) => Ok(self.symbol(name, 1)),
            None => unsupported(format!("taking the address of function `{name}`")),
        }
    }

    fn call_words(&mut self, inst: InstId, op: I, before: &[Value]) -> Result<(), Reason> {
        let body = self.input.body;
        let (params, results) = signature(self.input, inst)?;
        let (rets, args) = param_accesses::call_places(body, inst);
        if args.len() != params.len() || rets.len() != results.len() {
            return unsupported("arguments that are not `.param` variables");
        }
        let in_memory = returns_memory(results);
        let (firsts, count) = words(params, true, in_memory)?;
        let mut passed: Vec<Option<Value>> = vec![None; count as usize];
        if in_memory {
            let Some(home) = self.cells.in_memory.get(rets[0]) else {
                return unsupported("a call result that is not a `.param` variable");
            };
            passed[0] = Some(self.home_address(rets[0], home)?);
        }
        for ((&place, first), param) in args.iter().zip(firsts).zip(params) {
            if let Some(home) = self.cells.in_memory.get(place) {
                let count = param.size().map_or(0, |size| size.div_ceil(4) as u32);
                for (word, value) in (first..).zip(self.words_at_home(place, home, count)?) {
                    passed[word as usize] = Some(value);
                }
            }
            for &number in self.cells.at(place).to_vec().iter() {
                let cell = self.cells.list[number];
                let value = self.read(param_accesses::register(body, number))?;
                self.put_cell(&mut passed, &cell, first, value)?;
            }
        }
        let mut operands: Vec<Value> = before.to_vec();
        self.given_words(passed, &mut operands);
        if in_memory {
            self.emit_many(op, &operands, &[]);
            return Ok(());
        }
        let (firsts, count) = words(results, false, false)?;
        let given = self.emit_many(op, &operands, &vec![Width::B32; count as usize]);
        for (&place, first) in rets.iter().zip(firsts) {
            if let Some(home) = self.cells.in_memory.get(place) {
                self.set_words_at_home(place, home, &given[first as usize..])?;
            }
            for &number in self.cells.at(place).to_vec().iter() {
                let cell = self.cells.list[number];
                let value = self.get_cell(&mut |_, n| given.get(n).copied(), &cell, first)?;
                self.assign(param_accesses::register(body, number), value);
            }
        }
        Ok(())
    }

    /// Appends words to operands; those that were never written are undefined.
    pub(crate) fn given_words(&mut self, words: Vec<Option<Value>>, operands: &mut Vec<Value>) {
        for word in words {
            operands.push(match word {
                Some(word) => word,
                None => self.emit(I::Undef, &[], Width::B32),
            });
        }
    }

    /// Writes a part of a parameter to its word or words.
    fn put_cell(&mut self, words: &mut [Option<Value>], cell: &Cell, first: u32, value: Value) -> Result<(), Reason> {
        let (at, shift) = word_of(cell, first)?;
        let mut parts: SmallVec<[Value; 2]> = match self.f.width(value) {
            Width::B64 => self.emit_many(I::Unpack, &[value], &[Width::B32, Width::B32]),
            Width::B16 => SmallVec::from_slice(&[self.emit(I::Zext, &[value], Width::B32)]),
            _ => SmallVec::from_slice(&[value]),
        };
        let behind = || Reason("an access beyond the end of a parameter".into());
        if cell.bytes < 4 {
            if cell.bytes == 1 {
                let mask = self.constant(0xff, Width::B32);
                parts[0] = self.emit(I::And, &[parts[0], mask], Width::B32);
            }
            if shift > 0 {
                let by = self.constant(shift.into(), Width::B32);
                parts[0] = self.emit(I::Shl, &[parts[0], by], Width::B32);
            }
            if let Some(others) = *words.get(at).ok_or_else(behind)? {
                parts[0] = self.emit(I::Or, &[others, parts[0]], Width::B32);
            }
        }
        for (n, part) in parts.into_iter().enumerate() {
            *words.get_mut(at + n).ok_or_else(behind)? = Some(part);
        }
        Ok(())
    }

    /// Reads a part of a parameter from its word or words.
    fn get_cell(
        &mut self,
        word: &mut dyn FnMut(&mut Self, usize) -> Option<Value>,
        cell: &Cell,
        first: u32,
    ) -> Result<Value, Reason> {
        let (at, shift) = word_of(cell, first)?;
        let mut get =
            |this: &mut Self, n| word(this, n).ok_or_else(|| Reason("an access beyond the end of a parameter".into()));
        let mut low = get(self, at)?;
        if cell.width == Width::B64 {
            let high = get(self, at + 1)?;
            return Ok(self.emit(I::Pack, &[low, high], Width::B64));
        }
        if shift > 0 {
            let by = self.constant(shift.into(), Width::B32);
            low = self.emit(I::Shr(Sign::U), &[low, by], Width::B32);
        }
        Ok(if cell.width == Width::B16 { self.emit(I::Trunc, &[low], Width::B16) } else { low })
    }

    /// Converts the finished function to one that is called.
    ///
    /// # Errors
    /// Parameters or results that the convention does not support.
    pub(crate) fn into_called(mut self) -> Result<Function, Reason> {
        let declared = &self.input.outline.funcs[self.input.func];
        self.f.kind = Kind::Called;
        self.f.params.clear();
        let entry = self.f.entry();
        self.block = entry;
        // The reads of arguments get the place of the first instruction, the return that of the
        // last.
        let last = self.place;
        if let Some(first) = self.input.body.insts.keys().next() {
            self.place = self.place_of(first);
        }
        let in_memory = returns_memory(&declared.rets);
        let (firsts, _) = words(&declared.params, true, in_memory)?;
        let inputs = std::mem::take(&mut self.inputs);
        let old: Vec<Inst> = std::mem::take(&mut self.f.blocks[entry].insts);
        self.arguments_home(&firsts)?;
        for inst in old {
            let input = inputs.iter().find(|(_, v)| self.f.insts[inst].results.first() == Some(v));
            if let Some((cell, _)) = input {
                let Referent::Param(n) = cell.place else { return unsupported("this kind of parameter") };
                let mut word = |this: &mut Self, n: usize| Some(this.emit(I::Argument(n as u16), &[], Width::B32));
                let value = self.get_cell(&mut word, cell, firsts[n as usize])?;
                // The placeholder becomes a copy, so that its uses stay valid.
                let width = self.f.width(value);
                let zero = self.constant(0, width);
                (self.f.insts[inst].op, self.f.insts[inst].args) = (I::Or, SmallVec::from_slice(&[value, zero]));
            }
            self.f.blocks[entry].insts.push(inst);
        }
        let Some((block, values)) = self.returns.take() else { return Ok(self.f) };
        (self.block, self.place) = (block, last);
        let mut operands = Vec::new();
        if !in_memory {
            let (firsts, count) = words(&declared.rets, false, false)?;
            let mut given: Vec<Option<Value>> = vec![None; count as usize];
            for (n, ret) in (0..).zip(&declared.rets) {
                let (place, first) = (Referent::Ret(n), firsts[n as usize]);
                let Some(home) = self.cells.in_memory.get(place) else { continue };
                let count = ret.size().map_or(0, |size| size.div_ceil(4) as u32);
                for (word, value) in (first..).zip(self.words_at_home(place, home, count)?) {
                    given[word as usize] = Some(value);
                }
            }
            let places: Vec<Cell> =
                self.cells.list.iter().filter(|c| matches!(c.place, Referent::Ret(_))).copied().collect();
            for (cell, value) in places.iter().zip(values) {
                let Referent::Ret(n) = cell.place else { continue };
                self.put_cell(&mut given, cell, firsts[n as usize], value)?;
            }
            self.given_words(given, &mut operands);
        }
        self.emit_many(I::Return, &operands, &[]);
        Ok(self.f)
    }
}
