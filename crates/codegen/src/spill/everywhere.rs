//! Spilling everywhere, the last resort: registers that found no place stay in their homes.
//!
//! Each is stored after each definition and reloaded before each use, or made again
//! ([`super::remat`]), through new registers that live for one instruction. The new registers are
//! marked, as spilling them again would not help.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::{SourcePos, Stop};
use raddle_sass::Isa;
use smallvec::SmallVec;

use super::{Home, Traffic, home, remat};
use crate::destruct::Groups;
use crate::mir::{MFunction, MGuard, MInst, MKind, MTerm, Regs, V};

/// Spills the registers of `list`, all of one file.
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
    let Some(file) = list.first().map(|&v| f.vregs[v]) else { return Ok(()) };
    let cheap = remat::candidates(f, file, isa);
    let mut homes: FxHashMap<V, Home> = FxHashMap::default();
    for &v in list {
        let home = cheap[v].clone().map_or_else(|| home(f, v), Home::Rematerialised);
        homes.entry(v).or_insert(home);
    }
    for b in f.layout.clone() {
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let traffic = Traffic::new(isa, &homes);
        let mut s = Spiller { f, groups, homes: &homes, traffic, fixed, out: Vec::with_capacity(insts.len() + 8) };
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
    remat::drop_unread(f, file, isa);
    Ok(())
}

struct Spiller<'a> {
    f: &'a mut MFunction,
    groups: &'a mut Groups,
    homes: &'a FxHashMap<V, Home>,
    traffic: Traffic<'a>,
    fixed: &'a mut SecondaryMap<V, bool>,
    out: Vec<MInst>,
}

impl Spiller<'_> {
    fn fresh(&mut self, v: V) -> V {
        let t = self.f.vreg(self.f.vregs[v]);
        self.fixed[t] = true;
        t
    }

    /// Reloads a spilled register into a new one.
    fn load(&mut self, v: V, place: SourcePos) -> Result<V, Stop> {
        let t = self.fresh(v);
        let i = self.traffic.fetch(self.f, t, v, place)?;
        self.out.push(i);
        Ok(t)
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
        // What keeps its value where the guard does not hold is written where it was reloaded.
        let mut kept: SmallVec<[V; 1]> = SmallVec::new();
        i.for_each_def(|v| kept.extend(Some(v).filter(|v| self.homes.contains_key(v) && i.is_kept(*v))));
        for &v in &kept {
            let t = self.load(v, place)?;
            loaded.insert(v, t);
        }
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
                    let t = if kept.contains(&v) { loaded[&v] } else { self.fresh(v) };
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
        for v in i.otherwise.iter_mut().flat_map(|(to, from)| [to, from]) {
            *v = loaded.get(v).copied().unwrap_or(*v);
        }
        if let Some(name) = &mut i.name
            && name.at.is_some_and(|v| self.homes.contains_key(&v))
        {
            // It is in memory.
            name.at = None;
        }
        self.out.push(i);
        for (t, v) in stores {
            let s = self.traffic.store(self.f, t, v, place)?;
            self.out.extend(s);
        }
        Ok(())
    }
}
