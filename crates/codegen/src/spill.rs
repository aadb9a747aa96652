//! Spills: registers that found no number live in local memory, predicates in general registers.
//!
//! A spilled general register is stored behind each definition and loaded in front of each use, through fresh registers that
//! live for one instruction. A spilled predicate becomes a general register with 0 or 1: `SEL` behind definitions, `ISETP` in
//! front of uses; a uniform one a uniform register, likewise. A spilled uniform register becomes a general one: `MOV` behind
//! definitions, `R2UR` in front of uses. Fresh registers are marked, as spilling them again would not help.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::{Place, Stop};
use raddle_sass::Isa;
use raddle_sass::row::{File, SlotRole};

use crate::destruct::Groups;
use crate::form;
use crate::mir::{MFunction, MGuard, MInst, MKind, MOp, MTerm, Regs, V};
use crate::select::STACK;

/// Spills `list`.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks the instructions.
pub fn run(
    f: &mut MFunction,
    groups: &mut Groups,
    isa: Isa,
    list: &[V],
    fixed: &mut SecondaryMap<V, bool>,
) -> Result<(), Stop> {
    let mut homes: FxHashMap<V, Home> = FxHashMap::default();
    for &v in list {
        let home = match f.vregs[v] {
            File::Pred | File::Ugpr => Home::Register(f.vreg(File::Gpr)),
            File::Upred => Home::Register(f.vreg(File::Ugpr)),
            File::Gpr | File::Barrier => {
                let at = f.frame;
                f.frame += 4;
                Home::Slot(at as i32)
            }
        };
        homes.entry(v).or_insert(home);
    }
    for b in f.layout.clone() {
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let mut s = Spiller { f, groups, isa, homes: &homes, fixed, out: Vec::with_capacity(insts.len() + 8) };
        for i in insts {
            s.inst(i)?;
        }
        let place = s.f.blocks[b].place;
        let mut term = s.f.blocks[b].term.clone();
        if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = &mut term
            && homes.contains_key(v)
        {
            *v = s.load(*v, place)?;
        }
        let out = s.out;
        f.blocks[b].insts = out;
        f.blocks[b].term = term;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Home {
    /// Bytes above the stack pointer.
    Slot(i32),
    /// A general register that holds a predicate.
    Register(V),
}

struct Spiller<'a> {
    f: &'a mut MFunction,
    groups: &'a mut Groups,
    isa: Isa,
    homes: &'a FxHashMap<V, Home>,
    fixed: &'a mut SecondaryMap<V, bool>,
    out: Vec<MInst>,
}

impl Spiller<'_> {
    fn make(&self, name: &str, given: &[(SlotRole, MOp)], place: Place) -> Result<MInst, Stop> {
        let form = form::find(self.isa, name, given)
            .ok_or_else(|| Stop::Internal { pass: "spill", what: format!("no row for {name}") })?;
        Ok(MInst::new(form, place))
    }

    fn fresh(&mut self, v: V) -> V {
        let t = self.f.vreg(self.f.vregs[v]);
        self.fixed[t] = true;
        t
    }

    fn slot(at: i32) -> MOp {
        MOp::new(MKind::Addr { base: Regs::new(), phys: Some(STACK), desc: None, offset: at })
    }

    /// Loads a spilled register into a fresh one.
    fn load(&mut self, v: V, place: Place) -> Result<V, Stop> {
        let t = self.fresh(v);
        self.load_into(t, v, place)?;
        Ok(t)
    }

    fn load_into(&mut self, t: V, v: V, place: Place) -> Result<(), Stop> {
        let i = match self.homes[&v] {
            Home::Slot(at) => {
                self.f.spills.1 += 4;
                self.make("LDL", &[(SlotRole::Rd, MOp::reg(t)), (SlotRole::Addr, Self::slot(at))], place)?
            }
            Home::Register(r) if self.f.vregs[v] == File::Ugpr => {
                self.make("R2UR", &[(SlotRole::Rd, MOp::reg(t)), (SlotRole::Ra, MOp::reg(r))], place)?
            }
            Home::Register(r) => {
                let given = [(SlotRole::Pd, MOp::reg(t)), (SlotRole::Ra, MOp::reg(r)), (SlotRole::Rb, MOp::zero())];
                let uniform = self.f.vregs[v] == File::Upred;
                self.make(if uniform { "UISETP.NE.U32.AND" } else { "ISETP.NE.U32.AND" }, &given, place)?
            }
        };
        self.out.push(i);
        Ok(())
    }

    /// Stores a fresh register to the home of a spilled one.
    fn store(&mut self, t: V, v: V, place: Place) -> Result<MInst, Stop> {
        match self.homes[&v] {
            Home::Slot(at) => {
                self.f.spills.0 += 4;
                self.make("STL", &[(SlotRole::Addr, Self::slot(at)), (SlotRole::Rb, MOp::reg(t))], place)
            }
            Home::Register(r) if self.f.vregs[v] == File::Ugpr => {
                self.make("MOV", &[(SlotRole::Rd, MOp::reg(r)), (SlotRole::Rb, MOp::reg(t))], place)
            }
            Home::Register(r) => {
                let uniform = self.f.vregs[v] == File::Upred;
                let given = [
                    (SlotRole::Rd, MOp::reg(r)),
                    (SlotRole::Ra, MOp::zero()),
                    (SlotRole::Rb, MOp::imm(1)),
                    (SlotRole::Pp, MOp::reg(t).complemented()),
                ];
                self.make(if uniform { "USEL" } else { "SEL" }, &given, place)
            }
        }
    }

    fn inst(&mut self, mut i: MInst) -> Result<(), Stop> {
        let place = i.place;
        let mut loaded: FxHashMap<V, V> = FxHashMap::default();
        if let MGuard::Virtual(v, _) = &mut i.guard
            && self.homes.contains_key(v)
        {
            *v = self.load(*v, place)?;
        }
        let mut stores = Vec::new();
        for n in 0..i.ops.len() {
            let def = i.is_def(n);
            if let MKind::CBank { index: Some(v), .. } = &mut i.ops[n].kind
                && self.homes.contains_key(v)
            {
                *v = self.load(*v, place)?;
            }
            let Some(vs) = i.ops[n].list_mut() else { continue };
            let touched = vs.iter().any(|v| self.homes.contains_key(v));
            if !touched {
                continue;
            }
            let mut fresh = Regs::new();
            for &v in vs.iter() {
                if !self.homes.contains_key(&v) {
                    fresh.push(v);
                } else if def {
                    let t = self.fresh(v);
                    stores.push((t, v));
                    fresh.push(t);
                } else if let (Some(&t), 1) = (loaded.get(&v), vs.len()) {
                    fresh.push(t);
                } else {
                    let t = self.load(v, place)?;
                    loaded.insert(v, t);
                    fresh.push(t);
                }
            }
            if fresh.len() > 1 {
                self.groups.make(&fresh);
            }
            *vs = fresh;
        }
        for k in 0..i.ties.len() {
            // What stays under a false guard is loaded into the register that is written and stored.
            let v = i.ties[k];
            if let Some(&(t, _)) = stores.iter().find(|s| s.1 == v) {
                self.load_into(t, v, place)?;
                i.ties[k] = t;
            }
        }
        self.out.push(i);
        for (t, v) in stores {
            let s = self.store(t, v, place)?;
            self.out.push(s);
        }
        Ok(())
    }
}
