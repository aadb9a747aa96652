//! Spilling: moves registers of a file that do not fit to other places for a while.
//!
//! Problem: more registers are live than there are. Strategy, in this order:
//! - [`belady`] walks the blocks with the set of registers in place, and evicts the one with the
//!   furthest next use where the set grows too large; a use of an evicted one reloads it first.
//!   Where paths meet, they agree on what is in place, with reloads on the edges that differ.
//!   Registers that can be rematerialised ([`remat`]) are, and are evicted more readily.
//! - [`apply`] inserts the stores and reloads.
//! - [`webs`] then gives each web of a split register its own name.
//! - [`everywhere`] is the last resort, if allocation still fails because of groups.
//!
//! Homes: local memory for a general register; a general register for a predicate, as 0 or 1 (`SEL`
//! after definitions, `ISETP` before uses) or as one bit of several ([`packed`]), and a uniform
//! register for a uniform predicate as 0 or 1; a general register for a uniform register (`MOV` and `R2UR`), and
//! a uniform one for a general register that is the same in all lanes ([`uniform`]). A register is stored
//! after its definitions, so its home is up to date and eviction costs nothing.

pub mod apply;
pub mod belady;
pub mod everywhere;
mod packed;
mod plan;
pub mod remat;
mod survey;
pub mod uniform;
pub mod webs;

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::{SourcePos, Stop};
use raddle_sass::Isa;
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotRole};
use smallvec::SmallVec;

use self::plan::{Homes, Plan};
pub use self::survey::Survey;
use crate::combine::operands::with_uniform;
use crate::destruct::Groups;
use crate::mir::{MFunction, MGuard, MInst, MKind, MOp, Regs, V};
use crate::sass::tokens::{IntCmp, Size, Unsigned};
use crate::sass::{self, Mnemonic};

/// Truth tables of `LOP3` for its first two sources.
const AND: u32 = 0xc0;
const OR: u32 = 0xfc;

/// The home of a spilled register.
#[derive(Clone, Debug)]
pub enum Home {
    /// A spill slot: bytes above the stack pointer.
    Slot(i32),
    /// A register of another file.
    Register(V),
    /// A bit of a general register.
    Bit {
        /// The general register.
        of: V,
        /// The number of the bit.
        bit: u8,
        /// The bits that its store clears first: it is stored before the predicates that have them.
        clears: Option<u32>,
    },
    /// A uniform register with what this instruction moves to a general one.
    Constant(V, Box<MInst>),
    /// None: this instruction rematerialises it.
    Rematerialised(Box<MInst>),
}

/// Creates the instructions between registers and their homes.
pub struct Traffic<'a> {
    isa: Isa,
    homes: &'a FxHashMap<V, Home>,
}

impl<'a> Traffic<'a> {
    /// Creates it for these homes.
    pub fn new(isa: Isa, homes: &'a FxHashMap<V, Home>) -> Self {
        Traffic { isa, homes }
    }

    fn make(&self, name: Mnemonic, given: &[(SlotRole, MOp)], place: SourcePos) -> Result<MInst, Stop> {
        let form = find(self.isa, &name, given)
            .ok_or_else(|| Stop::Internal { pass: "spill", what: format!("no row for {name}") })?;
        Ok(MInst::new(form, place))
    }

    /// Copies a general register, whose value all lanes have, to a uniform one.
    fn copy_to_uniform(&self, to: V, from: V, place: SourcePos) -> Result<MInst, Stop> {
        self.make(sass::r2ur(), &[(SlotRole::Rd, MOp::reg(to)), (SlotRole::Ra, MOp::reg(from))], place)
    }

    /// Copies a uniform register to a general one.
    fn copy_of_uniform(&self, to: V, from: V, place: SourcePos) -> Result<MInst, Stop> {
        // The form of a uniform source: registers of both files fit the general one.
        let general = self.make(sass::mov(), &[(SlotRole::Rd, MOp::reg(to)), (SlotRole::Rb, MOp::zero())], place)?;
        let source = general.row().slots.iter().position(|s| s.role == SlotRole::Rb);
        source
            .and_then(|n| with_uniform(self.isa, &general, n, &[from]))
            .ok_or_else(|| Stop::Internal { pass: "spill", what: "no move from a uniform register".to_owned() })
    }

    fn slot(f: &MFunction, at: i32) -> MOp {
        MOp::new(MKind::Addr { base: Regs::new(), phys: Some(f.frame_register()), desc: None, offset: at })
    }

    /// Reloads `v` into `to`.
    ///
    /// # Errors
    /// [`Stop::Internal`] if the table lacks the instruction.
    pub fn fetch(&self, f: &mut MFunction, to: V, v: V, place: SourcePos) -> Result<MInst, Stop> {
        match &self.homes[&v] {
            Home::Slot(at) => {
                f.spills.1 += 4;
                self.make(
                    sass::ldl(Size::None),
                    &[(SlotRole::Rd, MOp::reg(to)), (SlotRole::Addr, Self::slot(f, *at))],
                    place,
                )
            }
            Home::Register(r) if f.vregs[v] == File::Ugpr => self.copy_to_uniform(to, *r, place),
            Home::Register(r) if f.vregs[v] == File::Gpr => self.copy_of_uniform(to, *r, place),
            Home::Constant(r, _) => self.copy_of_uniform(to, *r, place),
            Home::Register(r) => {
                let given = [(SlotRole::Pd, MOp::reg(to)), (SlotRole::Ra, MOp::reg(*r)), (SlotRole::Rb, MOp::zero())];
                let uniform = f.vregs[v] == File::Upred;
                let compare = if uniform { sass::uisetp } else { sass::isetp };
                self.make(compare(IntCmp::Ne, Unsigned::U32), &given, place)
            }
            Home::Bit { of, bit, .. } => {
                let given = [
                    (SlotRole::Pd, MOp::reg(to)),
                    (SlotRole::Ra, MOp::reg(*of)),
                    (SlotRole::Rb, MOp::imm(1 << bit)),
                    (SlotRole::Imm, MOp::imm(AND)),
                ];
                self.make(sass::lop3(), &given, place)
            }
            Home::Rematerialised(i) => {
                let mut i = MInst { place, ..(**i).clone() };
                i.for_each_def_mut(|d| *d = to);
                Ok(i)
            }
        }
    }

    /// Sets `to` to `bits` where the predicate `from` holds, and to zero elsewhere.
    fn bits_where(&self, name: Mnemonic, to: V, bits: u32, from: V, place: SourcePos) -> Result<MInst, Stop> {
        let given = [
            (SlotRole::Rd, MOp::reg(to)),
            (SlotRole::Ra, MOp::zero()),
            (SlotRole::Rb, MOp::imm(bits)),
            (SlotRole::Pp, MOp::reg(from).complemented()),
        ];
        self.make(name, &given, place)
    }

    /// Applies `table` to `of` and the constant `bits`.
    fn bits(&self, of: V, bits: u32, table: u32, place: SourcePos) -> Result<MInst, Stop> {
        let given = [
            (SlotRole::Rd, MOp::reg(of)),
            (SlotRole::Ra, MOp::reg(of)),
            (SlotRole::Rb, MOp::imm(bits)),
            (SlotRole::Imm, MOp::imm(table)),
        ];
        self.make(sass::lop3(), &given, place)
    }

    /// Stores `from` to the home of `v`: no instruction if it has none.
    ///
    /// # Errors
    /// [`Stop::Internal`] if the table lacks the instruction.
    pub fn store(&self, f: &mut MFunction, from: V, v: V, place: SourcePos) -> Result<SmallVec<[MInst; 2]>, Stop> {
        let i = match &self.homes[&v] {
            Home::Slot(at) => {
                f.spills.0 += 4;
                self.make(
                    sass::stl(Size::None),
                    &[(SlotRole::Addr, Self::slot(f, *at)), (SlotRole::Rb, MOp::reg(from))],
                    place,
                )?
            }
            Home::Register(r) => match f.vregs[v] {
                File::Ugpr => self.copy_of_uniform(*r, from, place)?,
                File::Gpr => self.copy_to_uniform(*r, from, place)?,
                file => {
                    let name = if file == File::Upred { sass::usel() } else { sass::sel() };
                    self.bits_where(name, *r, 1, from, place)?
                }
            },
            Home::Bit { of, bit, clears: Some(u32::MAX) } => {
                self.bits_where(sass::sel(), *of, 1 << bit, from, place)?
            }
            Home::Bit { of, bit, clears } => {
                let set = MInst { guard: MGuard::Virtual(from, false), ..self.bits(*of, 1 << bit, OR, place)? };
                let clear = clears.map(|bits| self.bits(*of, !bits, AND, place)).transpose()?;
                return Ok(clear.into_iter().chain([set]).collect());
            }
            Home::Constant(r, i) => match uniform::constant(self.isa, i, *r) {
                Some(i) => MInst { place, ..i },
                None => self.copy_to_uniform(*r, from, place)?,
            },
            Home::Rematerialised(_) => return Ok(SmallVec::new()),
        };
        Ok(SmallVec::from_iter([i]))
    }
}

/// Creates a home for a register.
pub fn home(f: &mut MFunction, v: V) -> Home {
    match f.vregs[v] {
        File::Pred | File::Ugpr => Home::Register(f.vreg(File::Gpr)),
        File::Upred => Home::Register(f.vreg(File::Ugpr)),
        File::Gpr | File::Barrier => {
            let at = f.frame;
            f.frame += 4;
            Home::Slot(at as i32)
        }
    }
}

/// Spills registers of a file until at most `limit` are live at once, as far as single instructions
/// allow it.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks the instructions.
pub fn run(f: &mut MFunction, groups: &Groups, survey: &Survey, limit: usize) -> Result<Groups, Stop> {
    let (survey, plan) = survey.plan(f, limit, Homes::Any).unwrap_or_else(|| (survey, Plan::default()));
    put(f, groups, survey, &plan)
}

/// What [`without_memory`] made of a function.
pub enum WithoutMemory {
    /// The changed function, with its groups.
    Done(Box<MFunction>, Groups),
    /// Nothing would be evicted.
    Unchanged,
    /// Some register has no home but memory.
    NeedsMemory,
}

/// [`run`] on a copy of the function, but only if all evicted registers can be reloaded without memory.
///
/// # Errors
/// Those of [`run`].
pub fn without_memory(f: &MFunction, groups: &Groups, survey: &Survey, limit: usize) -> Result<WithoutMemory, Stop> {
    let Some((survey, plan)) = survey.plan(f, limit, Homes::NoMemory) else {
        return Ok(WithoutMemory::NeedsMemory);
    };
    if plan.away.is_empty() {
        return Ok(WithoutMemory::Unchanged);
    }
    let mut f = f.clone();
    let groups = put(&mut f, groups, survey, &plan)?;
    Ok(WithoutMemory::Done(Box::new(f), groups))
}

/// Applies a plan.
fn put(f: &mut MFunction, groups: &Groups, survey: &Survey, plan: &Plan) -> Result<Groups, Stop> {
    let reloads = &survey.reloads;
    let mut homes: FxHashMap<V, Home> = FxHashMap::default();
    // Registers that are read from their homes only, with these; and the homes that `MOV` reloads from.
    let mut shared: FxHashMap<V, V> = FxHashMap::default();
    let (mut is_shared, mut is_home): (SecondaryMap<V, bool>, SecondaryMap<V, bool>) = Default::default();
    let read: Vec<V> = plan.away.iter().copied().filter(|&v| reloads.readable.is[v]).collect();
    for v in reloads.readable.with_lists(&read) {
        let u = f.vreg(File::Ugpr);
        let constant = reloads.cheap[v].as_ref().filter(|i| remat::is_cheap(i));
        homes.insert(v, constant.map_or(Home::Register(u), |i| Home::Constant(u, i.clone())));
        shared.insert(v, u);
        is_shared[v] = true;
    }
    let rest;
    let plan = if read.is_empty() {
        plan
    } else {
        rest = plan.without(&is_shared);
        &rest
    };
    for &v in &plan.away {
        let h = match &reloads.cheap[v] {
            Some(i) => Home::Rematerialised(i.clone()),
            None if reloads.alike[v] => {
                let u = f.vreg(File::Ugpr);
                is_home[u] = true;
                Home::Register(u)
            }
            None => home(f, v),
        };
        homes.insert(v, h);
    }
    let stores = apply::stores(f, plan);
    if survey.file == File::Pred {
        packed::run(f, &stores, &mut homes);
    }
    let traffic = Traffic::new(survey.isa, &homes);
    apply::apply(f, plan, &stores, &traffic)?;
    let mut split: SecondaryMap<V, bool> = SecondaryMap::new();
    plan.away.iter().for_each(|&v| split[v] = true);
    let mut groups = webs::run(f, groups, &split);
    if !reloads.alike.is_empty() {
        uniform::share(f, &mut groups, &traffic, &shared)?;
        uniform::fold(f, &mut groups, survey.isa, &is_home);
    }
    remat::drop_unread(f, survey.file, survey.isa);
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf::{Leaf, LeafCall};
    use crate::mir::MBlock;
    use crate::pressure::peak;
    use crate::testing::{ISA, add, branch, call, constant, function, jump, names, positive, push, store, value};
    use crate::{alloc, alloc_check, coalesce, destruct};
    use raddle_entity::EntityRef;

    /// Runs the steps before spilling, spills, and allocates.
    fn squeeze(f: &mut MFunction, limit: usize) {
        let groups = destruct::run(f, ISA).unwrap();
        let groups = coalesce::run(f, &groups, &[]);
        let survey = Survey::of(f, File::Gpr, ISA);
        let groups = run(f, &groups, &survey, limit).unwrap();
        assert!(peak(f, File::Gpr) <= limit, "{} live", peak(f, File::Gpr));
        crate::verify::check(f, "spill").unwrap();
        let fixed = SecondaryMap::new();
        let facts = alloc::AllocInputs::of(f);
        let a = alloc::place(f, &groups, &facts, File::Pred, 255, &fixed, &alloc::Assignment::default()).unwrap();
        let a = alloc::place(f, &groups, &facts, File::Gpr, 255, &fixed, &a).unwrap();
        alloc_check::check(f, &a).unwrap();
    }

    fn count(f: &MFunction, name: &str) -> usize {
        f.layout.iter().flat_map(|&b| names(f, b)).filter(|n| *n == name).count()
    }

    #[test]
    fn what_is_needed_last_goes_to_memory_once() {
        let mut f = function(1);
        let vs: Vec<V> = (0..8).map(|_| value(&mut f, 0)).collect();
        vs.iter().for_each(|&v| store(&mut f, 0, &[v]));
        squeeze(&mut f, 5);
        assert_eq!((count(&f, "STL"), count(&f, "LDL")), (3, 3));
        assert_eq!(f.spills, (12, 12));
    }

    #[test]
    fn addresses_are_computed_again_from_their_base() {
        let mut f = function(1);
        let base = value(&mut f, 0);
        let derived: Vec<V> = (1..7)
            .map(|n| {
                let v = f.vreg(File::Gpr);
                let given = [
                    (SlotRole::Rd, MOp::reg(v)),
                    (SlotRole::Ra, MOp::reg(base)),
                    (SlotRole::Rb, MOp::imm(16 * n)),
                    (SlotRole::Rc, MOp::zero()),
                ];
                push(&mut f, 0, sass::iadd3(), &given);
                v
            })
            .collect();
        derived.iter().for_each(|&v| store(&mut f, 0, &[v]));
        squeeze(&mut f, 4);
        assert_eq!((count(&f, "STL"), count(&f, "LDL")), (0, 0));
        // The definitions that nothing reads before they are made again are gone.
        assert_eq!(count(&f, "IADD3"), 6);
    }

    #[test]
    fn stores_and_reloads_of_every_file_have_the_right_forms() {
        for file in [File::Gpr, File::Ugpr, File::Pred, File::Upred] {
            let mut f = function(1);
            let v = f.vreg(file);
            let homes: FxHashMap<V, Home> = [(v, home(&mut f, v))].into_iter().collect();
            let traffic = Traffic::new(ISA, &homes);
            let store = traffic.store(&mut f, v, v, SourcePos::default()).unwrap();
            let fetch = traffic.fetch(&mut f, v, v, SourcePos::default()).unwrap();
            let b = f.layout[0];
            f.blocks[b].insts.extend(store.into_iter().chain([fetch]));
            f.ssa = false;
            crate::verify::check(&f, "spill").unwrap_or_else(|e| panic!("{file:?}: {e}"));
        }
    }

    #[test]
    fn constants_are_made_again() {
        let mut f = function(1);
        let vs: Vec<V> = (0..8).map(|n| constant(&mut f, 0, 100 + n)).collect();
        vs.iter().for_each(|&v| store(&mut f, 0, &[v]));
        vs.iter().for_each(|&v| store(&mut f, 0, &[v]));
        squeeze(&mut f, 4);
        assert_eq!((count(&f, "STL"), count(&f, "LDL")), (0, 0));
        assert!(count(&f, "MOV") <= 13, "{} moves", count(&f, "MOV"));
    }

    #[test]
    fn constants_make_room_for_a_leaf() {
        // A leaf that writes eight registers: of eleven, three are left for what lives across its call.
        let mut f = function(1);
        let mut leaf = Leaf::new(raddle_ir::Op::Div(raddle_ir::Sign::U));
        (2..10).for_each(|n| leaf.lost.add(n));
        f.leaves.push(leaf);
        let vs: Vec<V> = (0..6).map(|n| constant(&mut f, 0, 100 + n)).collect();
        let result = value(&mut f, 0);
        let b = f.layout[0];
        let call = LeafCall { of: 0, takes: Regs::new(), gives: Regs::new() };
        f.blocks[b].insts.last_mut().unwrap().leaf = Some(Box::new(call));
        vs.iter().chain([&result]).for_each(|&v| store(&mut f, 0, &[v]));
        let groups = destruct::run(&mut f, ISA).unwrap();
        let survey = Survey::of(&f, File::Gpr, ISA);
        let WithoutMemory::Done(f, _) = without_memory(&f, &groups, &survey, 11).unwrap() else {
            panic!("the constants were not evicted");
        };
        let call = f.blocks[b].insts.iter().position(|i| i.leaf.is_some()).unwrap();
        let behind = names(&f, b).into_iter().skip(call + 1).filter(|n| *n == "MOV").count();
        assert_eq!(behind, 3);
    }

    #[test]
    fn no_predicate_is_live_across_a_call_and_each_is_reloaded_once() {
        let mut f = function(1);
        let (kept, lost) = (value(&mut f, 0), value(&mut f, 0));
        // One compares what is read after the call, one what is not.
        let ps = [kept, lost].map(|v| positive(&mut f, 0, v));
        call(&mut f, 0);
        for p in ps.into_iter().chain(ps) {
            store(&mut f, 0, &[kept]);
            f.blocks[MBlock::new(0)].insts.last_mut().unwrap().guard = MGuard::Virtual(p, false);
        }
        let groups = destruct::run(&mut f, ISA).unwrap();
        let survey = Survey::of(&f, File::Pred, ISA);
        run(&mut f, &groups, &survey, 7).unwrap();
        assert!(!alloc::is_hopeless(&f, &alloc::AllocInputs::of(&f), File::Pred, 7));
        // The second is in a general register meanwhile; the first was not read before the call.
        assert_eq!((count(&f, "SEL"), count(&f, "ISETP")), (1, 3));
    }

    #[test]
    fn calls_leave_what_callees_preserve() {
        // Of 20 registers beside the stack pointer, R2 and R16 to R20 are preserved.
        let mut f = function(1);
        let vs: Vec<V> = (0..9).map(|n| constant(&mut f, 0, 100 + n)).collect();
        call(&mut f, 0);
        vs.iter().for_each(|&v| store(&mut f, 0, &[v]));
        let groups = destruct::run(&mut f, ISA).unwrap();
        let survey = Survey::of(&f, File::Gpr, ISA);
        run(&mut f, &groups, &survey, 20).unwrap();
        let facts = alloc::AllocInputs::of(&f);
        assert_eq!((facts.kept_of_calls(File::Gpr, 20), facts.most(&f, File::Gpr).1), (6, 6));
    }

    #[test]
    fn what_a_loop_uses_stays_and_what_lives_through_it_goes() {
        let mut f = function(3);
        let through: Vec<V> = (0..4).map(|_| value(&mut f, 0)).collect();
        let (a, b) = (value(&mut f, 0), value(&mut f, 0));
        jump(&mut f, 0, 1, &[]);
        let c = add(&mut f, 1, a, b);
        store(&mut f, 1, &[c]);
        let more = positive(&mut f, 1, c);
        branch(&mut f, 1, more, (1, &[]), (2, &[]));
        through.iter().for_each(|&v| store(&mut f, 2, &[v]));
        squeeze(&mut f, 3);
        let body = names(&f, f.layout[1]);
        assert_eq!(body, ["IADD3", "STS", "ISETP"], "nothing is fetched in the loop");
    }

    #[test]
    fn pieces_that_stand_together_stay_aligned() {
        let mut f = function(1);
        let vs: Vec<V> = (0..8).map(|_| value(&mut f, 0)).collect();
        for _ in 0..2 {
            store(&mut f, 0, &vs[..4]);
            store(&mut f, 0, &vs[4..]);
        }
        squeeze(&mut f, 5);
        assert!(count(&f, "LDL") >= 4);
    }
}
