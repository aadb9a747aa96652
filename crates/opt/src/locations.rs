//! Numbers the bytes that a function's weak accesses touch, element by element, and gives the sets
//! of locations that instructions may change, for the data-flow problems of [`crate::loads`] and
//! [`crate::stores`].

use crate::alias::{Aliases, Effect, Footprint, Location, Relation, is_constant};
use crate::bits::Bits;
use raddle_entity::FxHashMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::{Function, Inst, Mem, Mty, Op, Space};
use smallvec::SmallVec;

/// Most locations of a function; with more, no locations are built.
const MAX_LOCATIONS: usize = 4096;

/// Most bits of a data-flow problem: locations times blocks.
const MAX_BITS: usize = 1 << 26;

/// A numbered location: an element of a weak access.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// The bytes of the element.
    pub location: Location,
    /// The element's type, without its sign.
    pub ty: Mty,
    /// Whether it is read-only within the grid.
    pub constant: bool,
}

/// The locations of a function.
pub struct Locations {
    /// The locations, by number.
    pub list: Vec<Numbered>,
    /// The elements of each weak access, in order.
    pub of: FxHashMap<Inst, SmallVec<[u32; 4]>>,
    index: FxHashMap<(Location, bool), u32>,
    /// Groups of locations with equal terms: the first, and all of them.
    groups: Vec<(u32, Vec<u32>)>,
    /// The row of each reach.
    rows: FxHashMap<Footprint, u32>,
    sets: Vec<Bits>,
}

impl Locations {
    /// Numbers the reachable accesses that `wanted` accepts; returns `None` if there are none or
    /// too many.
    pub fn of(f: &Function, cfg: &Cfg, aliases: &Aliases, wanted: impl Fn(&Mem) -> bool) -> Option<Locations> {
        let mut out = Locations {
            list: Vec::new(),
            of: FxHashMap::default(),
            index: FxHashMap::default(),
            groups: Vec::new(),
            rows: FxHashMap::default(),
            sets: Vec::new(),
        };
        for &b in &cfg.rpo {
            for &i in &f.blocks[b].insts {
                if let Op::Load(mem) | Op::Store(mem) = f.insts[i].op
                    && wanted(&mem)
                {
                    out.add(f, aliases, i);
                }
            }
        }
        let n = out.list.len();
        if n == 0 || n > MAX_LOCATIONS || n * cfg.rpo.len() > MAX_BITS {
            return None;
        }
        let mut by_terms: FxHashMap<_, usize> = FxHashMap::default();
        for (k, l) in out.list.iter().enumerate() {
            let key = (l.location.space, &l.location.form.terms, l.constant);
            let group = *by_terms.entry(key).or_insert_with(|| {
                out.groups.push((k as u32, Vec::new()));
                out.groups.len() - 1
            });
            out.groups[group].1.push(k as u32);
        }
        Some(out)
    }

    fn add(&mut self, f: &Function, aliases: &Aliases, i: Inst) {
        let Some((mem, location)) = aliases.access(f, i) else { return };
        if !mem.is_weak() || matches!(location.space, Space::Param | Space::Const) {
            return;
        }
        let bytes = mem.ty.bytes();
        let constant = matches!(f.insts[i].op, Op::Load(_)) && is_constant(&mem);
        let ty = match mem.ty {
            Mty::S8 => Mty::U8,
            Mty::S16 => Mty::U16,
            ty => ty,
        };
        let elements = (0..u32::from(mem.count)).map(|k| {
            let mut location = Location { bytes, ..location.clone() };
            location.form.offset = location.form.offset.wrapping_add(i64::from(k * bytes));
            let next = self.list.len() as u32;
            let n = *self.index.entry((location.clone(), constant)).or_insert(next);
            if n == next {
                self.list.push(Numbered { location, ty, constant });
            }
            n
        });
        let elements = elements.collect();
        self.of.insert(i, elements);
    }

    /// Gives a copied instruction the elements of its original.
    pub fn copy(&mut self, from: Inst, to: Inst) {
        if let Some(list) = self.of.get(&from).cloned() {
            self.of.insert(to, list);
        }
    }

    /// Returns the sets of locations that an instruction may read and write: see
    /// [`Locations::set`].
    pub fn effect(&mut self, f: &Function, aliases: &Aliases, inst: Inst) -> (Option<u32>, Option<u32>) {
        let Effect { reads, writes } = aliases.effect(f, inst);
        (self.row(f, aliases, reads), self.row(f, aliases, writes))
    }

    /// Returns a set by the row that [`Locations::effect`] or [`Locations::row`] returned.
    pub fn set(&self, row: u32) -> &Bits {
        &self.sets[row as usize]
    }

    /// Returns the row of the locations that `reach` may touch; `None` if it touches nothing.
    pub fn row(&mut self, f: &Function, aliases: &Aliases, reach: Footprint) -> Option<u32> {
        if reach == Footprint::Nothing {
            return None;
        }
        if let Some(&row) = self.rows.get(&reach) {
            return Some(row);
        }
        let mut bits = Bits::none(self.list.len());
        for (first, members) in &self.groups {
            let first = &self.list[*first as usize];
            let common = matches!(reach, Footprint::CommonAnd(_))
                && aliases.reaches(f, &Footprint::Common, &first.location, first.constant);
            let at = match &reach {
                Footprint::Bytes(l) | Footprint::CommonAnd(l) if !common && !first.constant => Some(l),
                _ => None,
            };
            let same = |l: &&Location| l.space == first.location.space && l.form.terms == first.location.form.terms;
            if let Some(l) = at.filter(same) {
                let meets = |k: &&u32| aliases.relate(f, l, &self.list[**k as usize].location) != Relation::Apart;
                members.iter().filter(meets).for_each(|&k| bits.insert(k));
            } else if aliases.reaches(f, &reach, &first.location, first.constant) {
                members.iter().for_each(|&k| bits.insert(k));
            }
        }
        let row = self.sets.len() as u32;
        self.sets.push(bits);
        self.rows.insert(reach, row);
        Some(row)
    }
}
