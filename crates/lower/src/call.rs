//! Inlining of direct calls.
//!
//! Strategy: callees are lowered first, each once, to a [`Callee`]: blocks with placeholders for
//! arguments. A call ends its block, copies the callee's blocks with the arguments in place of the
//! placeholders, and continues in a block whose parameters are the results. A function that cannot
//! be inlined is called ([`crate::out_of_line`]) where that is enabled, and reported elsewhere.
//!
//! Invariant: [`callees::order`] visits callees before callers, so that nothing here recurses on
//! the depth of calls.

use crate::Input;
use crate::build::Lower;
use crate::callees::{self, Callee, Callees};
use crate::convention::is_out_of_line;
use crate::param_accesses::{self, Cell};
use crate::reason::{Reason, unsupported};
use raddle_entity::packed_option::PackedOption;
use raddle_entity::{EntityRef, FxHashMap, FxHashSet, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::{Block, Function, Op as I, Slot, SourcePos, SourcePosData, Target, Terminator, Unsupported, Value};
use raddle_ptx::{FuncId, InstId, Referent};

/// Instructions above which a kernel may not grow by inlining.
const LIMIT: usize = 1 << 20;

impl Lower<'_> {
    /// Lowers `call` (PTX ISA 9.0, 9.7.12.5) of a function with a body.
    pub(crate) fn call(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let Some(sym) = param_accesses::callee(body, inst) else { return self.call_at(inst) };
        let Referent::Func(id) = body.syms[sym].referent else { return unsupported("an unknown function") };
        if is_out_of_line(self.input, inst) {
            return self.call_out_of_line(inst, id);
        }
        let function = &self.input.outline.funcs[id];
        let callees = self.callees;
        let callee = match callees.get(&id) {
            Some(Ok(callee)) => callee,
            Some(Err(why)) => return unsupported(format!("`{}`: {why}", function.name)),
            None => {
                let name = &function.name;
                return unsupported(format!(
                    "`{name}` is not defined here: -c makes an object to link with the one that defines it"
                ));
            }
        };
        if self.f.insts.len() + callee.f.insts.len() > LIMIT {
            return unsupported("more than 1,048,576 instructions after inlining");
        }
        let (rets, args) = param_accesses::call_places(body, inst);
        if args.len() != function.params.len() || rets.len() != function.rets.len() {
            return unsupported("arguments that are not `.param` variables");
        }
        let mut values = Vec::with_capacity(callee.inputs.len());
        for (cell, placeholder) in &callee.inputs {
            let Referent::Param(n) = cell.place else { return unsupported("this kind of parameter") };
            if let Some(home) = self.cells.in_memory.get(args[n as usize]) {
                values.push(self.load_at_home(args[n as usize], home, cell)?);
                continue;
            }
            let value = match self.cells.find(args[n as usize], cell.offset) {
                Some(passed) if self.cells.list[passed].bytes == cell.bytes => {
                    self.read(param_accesses::register(body, passed))?
                }
                None if !self.overlap(args[n as usize], cell) => self.emit(I::Undef, &[], callee.f.width(*placeholder)),
                _ => {
                    return unsupported(format!(
                        "`{}` accesses an argument in other pieces than the caller writes",
                        function.name
                    ));
                }
            };
            values.push(value);
        }
        let stack = self.keep_stack(callee);
        let results = self.splice(id, callee, &values);
        self.give_back_stack(stack);
        let outputs = callee.outputs.as_ref().map_or(&[][..], |(_, list)| &list[..]);
        for ((cell, _), value) in outputs.iter().zip(results) {
            let Referent::Ret(n) = cell.place else { continue };
            if let Some(home) = self.cells.in_memory.get(rets[n as usize]) {
                self.store_at_home(rets[n as usize], home, cell, value)?;
                continue;
            }
            match self.cells.find(rets[n as usize], cell.offset) {
                Some(taken) if self.cells.list[taken].bytes == cell.bytes => {
                    self.assign(param_accesses::register(body, taken), value);
                }
                None if !self.overlap(rets[n as usize], cell) => {}
                _ => {
                    return unsupported(format!(
                        "the caller accesses a result of `{}` in other pieces than the function writes",
                        function.name
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether `cell`, as a part of another place, overlaps a cell of that place.
    fn overlap(&self, place: Referent, cell: &Cell) -> bool {
        self.cells.at(place).iter().any(|&other| {
            let o = self.cells.list[other];
            o.offset < cell.offset + i64::from(cell.bytes) && cell.offset < o.offset + i64::from(o.bytes)
        })
    }

    /// Copies a callee after the current block and continues after it; returns the results.
    fn splice(&mut self, id: FuncId, callee: &Callee, args: &[Value]) -> Vec<Value> {
        let g = &callee.f;
        if let Some(found) = &g.serial_products {
            // Its place is in the text of another function.
            let why = format!("in function {}: {}", found.kernel, found.why);
            let here = Unsupported { kernel: self.f.name.clone(), line: 0, offset: 0, why, ..found.clone() };
            self.f.serial_products.get_or_insert(here);
        }
        self.f.wmma |= g.wmma;
        self.f.tensormap |= g.tensormap;
        let mut values: SecondaryMap<Value, PackedOption<Value>> = SecondaryMap::new();
        let mut placeholders: SecondaryMap<Value, bool> = SecondaryMap::new();
        for ((_, placeholder), &arg) in callee.inputs.iter().zip(args) {
            values[*placeholder] = arg.into();
            placeholders[*placeholder] = true;
        }
        let slots: FxHashMap<Slot, Slot> = callee
            .slots
            .iter()
            .map(|&(slot, referent)| (slot, self.inlined_slot(id, callee, slot, referent)))
            .collect();
        let symbols: Vec<raddle_ir::Sym> =
            g.symbols.iter().map(|(s, name)| self.symbol(name, g.symbol_aligns[s])).collect();
        g.symbols.keys().zip(&symbols).for_each(|(old, &new)| self.f.foreign[new] |= g.foreign[old]);
        self.f.foreign_addresses |= g.foreign_addresses;

        let cfg = Cfg::of(g);
        let mut blocks: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
        for &b in &cfg.rpo {
            let copy = self.f.add_block();
            blocks[b] = copy.into();
            for &p in &g.blocks[b].params {
                values[p] = self.f.add_param(copy, g.width(p)).into();
            }
        }
        let block = |b: Block| blocks[b].expand().unwrap_or(b);
        let after = self.f.add_block();
        let results = match &callee.outputs {
            Some((_, list)) => list.iter().map(|(_, v)| self.f.add_param(after, g.width(*v))).collect(),
            None => Vec::new(),
        };
        let call = self.place;
        let mut places = InlinedPlaces::new(g, &self.input.outline.funcs[id].name, call);
        for &b in &cfg.rpo {
            for &i in &g.blocks[b].insts {
                let d = &g.insts[i];
                if d.results.first().is_some_and(|&r| placeholders[r]) {
                    continue;
                }
                let args: Vec<Value> = d.args.iter().map(|&v| values[v].expand().unwrap_or(v)).collect();
                let widths: Vec<_> = d.results.iter().map(|&r| g.width(r)).collect();
                let op = match d.op {
                    I::SlotAddr(slot, offset) => I::SlotAddr(slots.get(&slot).copied().unwrap_or(slot), offset),
                    I::SymbolAddr(sym, offset) => I::SymbolAddr(symbols[sym.index()], offset),
                    I::TexHandle(bound, sym) => I::TexHandle(bound, symbols[sym.index()]),
                    I::TexRow(table, sym) => I::TexRow(table, symbols[sym.index()]),
                    I::Call(sym) => I::Call(symbols[sym.index()]),
                    op => op,
                };
                let place = places.map(self, d.place);
                let copy = self.f.append(block(b), op, &args, &widths, place);
                for (&r, &new) in d.results.iter().zip(&self.f.insts[copy].results.clone()) {
                    values[r] = new.into();
                }
            }
            let map = |v: Value| values[v].expand().unwrap_or(v);
            let returns = callee.outputs.as_ref().filter(|(ret, _)| *ret == b);
            let term = match (returns, g.term(b)) {
                (Some((_, list)), _) => {
                    Terminator::Jump(Target { block: after, args: list.iter().map(|(_, v)| map(*v)).collect() })
                }
                (None, Terminator::Switch { index, targets }) => {
                    let targets = targets.iter().map(|&t| block(t)).collect();
                    Terminator::Switch { index: map(*index), targets }
                }
                (None, term) => {
                    let mut term = term.clone();
                    term.map_uses(map);
                    for t in term.targets_mut() {
                        t.block = block(t.block);
                    }
                    term
                }
            };
            if g.rolled[b] {
                self.f.rolled[block(b)] = true;
            }
            self.f.term_places[block(b)] = places.map(self, g.term_places[b]);
            self.f.blocks[block(b)].term = Some(term);
        }
        self.f.term_places[self.block] = call;
        self.f.blocks[self.block].term = Some(Terminator::Jump(Target::to(block(g.entry()))));
        self.block = after;
        self.inlined = true;
        results
    }

    /// Returns the kernel's variable for one of a callee: module-level ones are shared, the
    /// callee's own are shared by all its copies, which never run at the same time in one thread.
    fn inlined_slot(&mut self, id: FuncId, callee: &Callee, slot: Slot, referent: Referent) -> Slot {
        let data = callee.f.slots[slot].clone();
        let f = &mut self.f;
        match referent {
            Referent::Global(_) => *self.slots.entry(referent).or_insert_with(|| f.slots.push(data)),
            _ => *self.callee_slots.entry((id, slot)).or_insert_with(|| f.slots.push(data)),
        }
    }

    /// Returns the symbol of a name, with this alignment.
    pub(crate) fn symbol(&mut self, name: &str, align: u32) -> raddle_ir::Sym {
        let found = self.f.symbols.iter().find(|(_, n)| *n == name).map(|(sym, _)| sym);
        found.unwrap_or_else(|| {
            let sym = self.f.symbols.push(name.to_owned());
            self.f.symbol_aligns[sym] = align;
            sym
        })
    }

    /// Converts the finished function to a callee.
    pub(crate) fn into_callee(self) -> Callee {
        let mut slots: Vec<(Slot, Referent)> = self.slots.iter().map(|(&r, &s)| (s, r)).collect();
        let known: Vec<Slot> = slots.iter().map(|s| s.0).collect();
        // Variables of functions inlined here belong to this function.
        slots.extend(self.f.slots.keys().filter(|s| !known.contains(s)).map(|s| (s, Referent::Func(self.input.func))));
        slots.sort_unstable_by_key(|s| s.0);
        let outputs = self.returns.map(|(block, values)| {
            let cells = self.cells.list.iter().filter(|c| matches!(c.place, Referent::Ret(_)));
            (block, cells.copied().zip(values).collect())
        });
        Callee { f: self.f, inputs: self.inputs, outputs, slots }
    }
}

/// Lowers the callees of a kernel, innermost first.
pub(crate) fn callees(cx: &raddle_ir::Cx<'_>, input: &Input<'_>) -> Result<Callees, raddle_ir::Stop> {
    let mut out = Callees::default();
    let none = FxHashSet::default();
    let out_of_line = input.out_of_line.map_or(&none, |out_of_line| &out_of_line.called);
    for (id, recursive) in callees::order(input.body, input.bodies, out_of_line) {
        let Some(body) = input.bodies.get(&id) else { continue };
        if recursive {
            out.insert(id, Err("recursion".to_owned()));
            continue;
        }
        let inner = Input { func: id, body, line: &|_| 0, ..*input };
        let result = crate::function(cx, &inner, &out)?;
        out.insert(id, result);
    }
    Ok(out)
}

/// Source locations of an inlined function's instructions.
pub(crate) struct InlinedPlaces<'a> {
    from: &'a Function,
    name: &'a str,
    call: SourcePos,
    known: FxHashMap<SourcePos, SourcePos>,
}

impl<'a> InlinedPlaces<'a> {
    /// Creates them for `from`, called `name`, inlined by the call at `call`.
    pub(crate) fn new(from: &'a Function, name: &'a str, call: SourcePos) -> Self {
        Self { from, name, call, known: FxHashMap::default() }
    }

    /// Returns the location in the caller: that of the call if line information is off.
    pub(crate) fn map(&mut self, lower: &mut Lower<'_>, place: SourcePos) -> SourcePos {
        if lower.input.lines.is_none() {
            return self.call;
        }
        *self.known.entry(place).or_insert_with(|| {
            let inner = self.from.places[place];
            let outer = lower.f.places[self.call];
            let loc = lower.f.lines.inline(&self.from.lines, inner.loc, self.name, outer.loc);
            let inner_line = if inner.inner_line != 0 { inner.inner_line } else { inner.line };
            lower.f.places.push(SourcePosData { inner_line, loc, ..outer })
        })
    }
}
