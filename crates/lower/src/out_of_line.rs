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

use crate::build::{Lower, Reason, unsupported};
use crate::call::order_of;
use crate::cells::{self, Cell};
use crate::places;
use raddle_entity::{FxHashMap, FxHashSet};
use raddle_ir::unit::Data;
use raddle_ir::{Function, Inst, Kind, Op as I, Sign, Value, Width};
use raddle_ptx::{Body, FuncId, InstId, Linkage, Op, Operand, Outline, Referent, Symbol, Variable};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Words of arguments, and of results, in registers: R4 to R15.
const WORDS: u32 = 12;
/// Most words of all arguments of a call (PTX ISA 9.0, 5.1.6: parameters take at most 4,352 bytes).
const MOST: u32 = WORDS + 1088;

/// The functions that are not inlined.
#[derive(Clone, Debug, Default)]
pub struct OutOfLine {
    /// Functions of the module that are called: recursive ones, those with parameters or results in
    /// memory, weak ones that a linker may replace, and all in debug builds.
    pub called: FxHashSet<FuncId>,
    /// Whether functions without a body are defined in another object; if not, only the driver's
    /// may be called.
    pub external: bool,
}

impl OutOfLine {
    /// Finds the functions of a module that are not inlined; all if `debug`. `elsewhere`: whether
    /// another module of the program defines this name, too.
    pub fn of(
        outline: &Outline,
        bodies: &FxHashMap<FuncId, Body>,
        external: bool,
        debug: bool,
        elsewhere: &dyn Fn(&str) -> bool,
    ) -> OutOfLine {
        let mut called = recursive(bodies);
        called.extend(bodies.keys().filter(|_| debug));
        let replaced = |id: FuncId| {
            let function = &outline.funcs[id];
            function.linkage == Linkage::Weak && (external || elsewhere(&function.name))
        };
        called.extend(bodies.iter().filter(|(id, body)| replaced(**id) || places::has_own(body)).map(|(&id, _)| id));
        OutOfLine { called, external }
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

/// Whether the result of a function is in the caller's memory.
pub(crate) fn returns_memory(results: &[Variable]) -> bool {
    matches!(results, [one] if one.size().is_none_or(|size| size > u64::from(4 * WORDS)))
}

/// Returns the first word of each parameter, and the number of words; words from [`WORDS`] on are
/// on the stack. With `address` the first word is the address of the result.
fn words(params: &[Variable], stack: bool, address: bool) -> Result<(SmallVec<[u32; 8]>, u32), Reason> {
    let (mut taken, mut end, mut top) = (u32::from(address), u32::from(address), 0u32);
    let mut out = SmallVec::new();
    for p in params {
        let size = p.size().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
        let count = size.div_ceil(4);
        let align = (p.alignment().max(1).div_ceil(4)).next_power_of_two();
        let fits = |first: &u32| count <= WORDS && first + count <= WORDS && taken >> first & ((1 << count) - 1) == 0;
        let first = match (0..WORDS).step_by(align as usize).find(fits) {
            Some(first) => {
                taken |= ((1 << count) - 1) << first;
                first
            }
            None if stack && count < MOST => {
                let first = WORDS + top.next_multiple_of(align);
                top = first - WORDS + count;
                first
            }
            None => return unsupported(format!("`{}` is too large for a return value", p.name)),
        };
        if first + count > MOST {
            return unsupported(format!("arguments of more than {} bytes", 4 * MOST));
        }
        end = end.max(first + count);
        out.push(first);
    }
    Ok((out, end))
}

/// Returns the word of a part of a parameter that begins in word `first`, and its first bit in that
/// word.
fn word_of(cell: &Cell, first: u32) -> Result<(usize, u32), Reason> {
    match u32::try_from(cell.offset) {
        Ok(offset) if cell.bytes <= 8 && offset % cell.bytes.clamp(1, 4) == 0 => {
            Ok(((first + offset / 4) as usize, offset % 4 * 8))
        }
        _ => unsupported(format!("an access of {} bytes at offset {} of a call parameter", cell.bytes, cell.offset)),
    }
}

/// Whether it is a call of a function that is not inlined.
pub(crate) fn is_out_of_line(input: &crate::Input<'_>, inst: InstId) -> bool {
    let Some(out_of_line) = input.out_of_line else { return false };
    let Some(sym) = cells::callee(input.body, inst) else { return true };
    let Referent::Func(id) = input.body.syms[sym].referent else { return false };
    let function = &input.outline.funcs[id];
    match function.body {
        Some(_) => out_of_line.called.contains(&id),
        None => out_of_line.external || raddle_target::is_system_call(&function.name),
    }
}

/// Returns the directive of a non-standard convention, which is unsupported if the function is not
/// inlined. ptxas 13.0.88 gives a function with `.abi_preserve N` another return-address register
/// and lists its callee-saved registers in the object; code for the platform's convention would not
/// match.
pub(crate) fn own_convention(preserve: Option<u32>, control: Option<u32>) -> Option<&'static str> {
    match (preserve, control) {
        (None, None) => None,
        (Some(_), _) => Some(".abi_preserve"),
        (None, Some(_)) => Some(".abi_preserve_control"),
    }
}

/// Returns parameters and results of the function that an instruction calls, by name or by address.
pub(crate) fn signature<'a>(
    input: &crate::Input<'a>,
    inst: InstId,
) -> Result<(&'a [Variable], &'a [Variable]), Reason> {
    let body = input.body;
    let of = |id: FuncId| {
        let function = &input.outline.funcs[id];
        match own_convention(function.perf.abi_preserve, function.perf.abi_preserve_control) {
            None => Ok((&function.params[..], &function.rets[..])),
            Some(directive) => {
                unsupported(format!("function '{}' has `{directive}` and is not inlined", function.name))
            }
        }
    };
    if let Some(sym) = cells::callee(body, inst) {
        let Referent::Func(id) = body.syms[sym].referent else { return unsupported("an unknown function") };
        return of(id);
    }
    match body.operand(inst, 3) {
        Some(Operand::Proto(proto)) => {
            let proto = &body.protos[proto];
            match own_convention(proto.abi_preserve, proto.abi_preserve_control) {
                None => Ok((&proto.params, &proto.rets)),
                Some(directive) => unsupported(format!("the prototype has `{directive}`")),
            }
        }
        Some(Operand::Targets(targets)) => {
            let first = body.targets[targets].funcs.first().map(|&sym| body.syms[sym].referent);
            let Some(Referent::Func(id)) = first else { return unsupported("an indirect call without targets") };
            of(id)
        }
        _ => unsupported("an indirect call without a prototype"),
    }
}

impl Lower<'_> {
    /// Lowers a call of a function by name.
    pub(crate) fn call_out_of_line(&mut self, inst: InstId, id: FuncId) -> Result<(), Reason> {
        let name = self.symbol(&self.input.outline.funcs[id].name, 1);
        self.call_words(inst, I::Call(name), &[])
    }

    /// Lowers a call of the function at an address (PTX ISA 9.0, 9.7.12.5).
    pub(crate) fn call_at(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let Some(_) = self.input.out_of_line else { return unsupported("an indirect call") };
        let address = match body.operand(inst, 1) {
            Some(Operand::Reg(reg)) => self.read(reg.as_u32())?,
            _ => return unsupported("this operand of an indirect call"),
        };
        if self.f.width(address) != Width::B64 {
            return unsupported("an indirect call through an address that is not 64 bits wide");
        }
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
        let (rets, args) = cells::call_places(body, inst);
        if args.len() != params.len() || rets.len() != results.len() {
            return unsupported("arguments that are not `.param` variables");
        }
        let in_memory = returns_memory(results);
        let (firsts, count) = words(params, true, in_memory)?;
        let mut passed: Vec<Option<Value>> = vec![None; count as usize];
        if in_memory {
            let Some(home) = self.cells.homes.get(rets[0]) else {
                return unsupported("a call result that is not a `.param` variable");
            };
            passed[0] = Some(self.home_address(rets[0], home)?);
        }
        for ((&place, first), param) in args.iter().zip(firsts).zip(params) {
            if let Some(home) = self.cells.homes.get(place) {
                let count = param.size().map_or(0, |size| size.div_ceil(4) as u32);
                for (word, value) in (first..).zip(self.words_at_home(place, home, count)?) {
                    passed[word as usize] = Some(value);
                }
            }
            for &number in self.cells.at(place).to_vec().iter() {
                let cell = self.cells.list[number];
                let value = self.read(cells::register(body, number))?;
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
            if let Some(home) = self.cells.homes.get(place) {
                self.set_words_at_home(place, home, &given[first as usize..])?;
            }
            for &number in self.cells.at(place).to_vec().iter() {
                let cell = self.cells.list[number];
                let value = self.get_cell(&mut |_, n| given.get(n).copied(), &cell, first)?;
                self.assign(cells::register(body, number), value);
            }
        }
        Ok(())
    }

    /// Appends words to operands; those that were never written are undefined.
    fn given_words(&mut self, words: Vec<Option<Value>>, operands: &mut Vec<Value>) {
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
                let Some(home) = self.cells.homes.get(place) else { continue };
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

/// Returns the text of a function's type as objects spell it ("ptxas 13.0.88 output").
fn type_text(params: &[Variable], results: &[Variable]) -> String {
    let one = |p: &Variable| match p.size() {
        Some(size) if p.dims.is_empty() => match (p.ty.is_float(), size) {
            (true, 8) => "d".to_owned(),
            (true, 4) => "f".to_owned(),
            (_, 8) => "l".to_owned(),
            (_, 4) => "i".to_owned(),
            (_, 2) => "h".to_owned(),
            (_, 1) => "b".to_owned(),
            _ => format!("b{size}"),
        },
        size => format!("b{}", size.unwrap_or(0)),
    };
    let result = results.first().map_or_else(|| "v".to_owned(), one);
    params.iter().fold(format!("#{result}"), |text, p| text + &one(p))
}

/// Returns the text of a function's type, empty for a kernel, which is never called; `None` if it
/// is no function.
pub fn function_type(outline: &Outline, name: &str) -> Option<String> {
    match outline.symbol(name) {
        Some(Symbol::Func(id)) if outline.funcs[id].entry => Some(String::new()),
        Some(Symbol::Func(id)) => Some(type_text(&outline.funcs[id].params, &outline.funcs[id].rets)),
        _ => None,
    }
}

/// Returns the types of the functions that a lowered function and its variables name, itself
/// included, and of those that it calls by address.
pub(crate) fn types(input: &crate::Input<'_>, f: &Function, data: &[Data]) -> (Vec<(String, String)>, Vec<String>) {
    let Some(out_of_line) = input.out_of_line else { return Default::default() };
    let variables = data.iter().flat_map(|d| d.relocs.iter().map(|r| &r.symbol));
    let names: BTreeSet<&String> = std::iter::once(&f.name).chain(f.symbols.values()).chain(variables).collect();
    let named = names.into_iter().filter_map(|name| Some((name.clone(), function_type(input.outline, name)?)));
    let types = named.collect();
    let inlined = crate::call::order(input.body, input.bodies, &out_of_line.called);
    let bodies = std::iter::once(input.body).chain(inlined.iter().filter_map(|(id, _)| input.bodies.get(id)));
    (types, indirect_types(input.outline, bodies))
}

/// Returns the types of the functions that bodies call by address.
pub fn indirect_types<'a>(outline: &Outline, bodies: impl Iterator<Item = &'a Body>) -> Vec<String> {
    let mut indirect: Vec<String> = Vec::new();
    for body in bodies {
        for inst in body.insts.keys().filter(|&i| body.op(i) == Op::Call && cells::callee(body, i).is_none()) {
            match body.operand(inst, 3) {
                Some(Operand::Proto(proto)) => {
                    indirect.push(type_text(&body.protos[proto].params, &body.protos[proto].rets));
                }
                Some(Operand::Targets(targets)) => {
                    let ids = body.targets[targets].funcs.iter().filter_map(|&sym| match body.syms[sym].referent {
                        Referent::Func(id) => Some(&outline.funcs[id]),
                        _ => None,
                    });
                    indirect.extend(ids.map(|func| type_text(&func.params, &func.rets)));
                }
                _ => {}
            }
        }
    }
    indirect.sort_unstable();
    indirect.dedup();
    indirect
}
