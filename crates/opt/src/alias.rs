//! Alias analysis: which memory accesses may overlap, and which instructions may change memory.
//!
//! **Places.** An access is a state space, the linear form of its address ([`crate::address`]) and
//! a number of bytes. State spaces do not overlap, but generic addresses reach global, shared and
//! local memory; a generic address computed from a window counts as one of that window's space.
//! Within a space, equal terms leave a difference of constants; different variables and different
//! symbols do not overlap; a variable whose address never escapes the function's address arithmetic
//! does not overlap any unknown address. Nothing is assumed of two pointers that are parameters:
//! PTX cannot express that they differ. Memory loaded through `.nc`, from constants or from
//! parameters does not change while the kernel runs.
//!
//! **The memory model** ([`raddle_ir::order`] has the rules): between two synchronisations, weak
//! accesses may be merged, forwarded and removed as in a single-threaded program. An acquire or
//! release counts as a read and a write of everything but local and read-only memory. A strong
//! access that is neither counts as a read and a write of its own bytes; strong accesses keep their
//! order because no pass moves them. Asynchronous copies, matrix loads and stores count as accesses
//! of whole spaces, since other lanes name their bytes or they happen later.

use crate::address::{Atom, Form, Forms};
use raddle_entity::SecondaryMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::order::{self, Strength};
use raddle_ir::{Cache, Function, Inst, Mem, Op, Slot, Space, Value};

/// The bytes that an access touches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// State space; never generic if the address tells which.
    pub space: Space,
    /// The address; modulo 2^32 in 32-bit spaces.
    pub form: Form,
    /// Size of the access.
    pub bytes: u32,
}

/// How two locations overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They share no byte.
    Apart,
    /// They overlap, and the second begins this many bytes after the first.
    At(i64),
    /// They may overlap.
    Unknown,
}

/// The memory that an instruction may touch, as seen by weak accesses of its thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Footprint {
    /// Nothing.
    Nothing,
    /// These bytes.
    Bytes(Location),
    /// All of a space.
    Space(Space),
    /// All memory that other threads may see: global and shared.
    Common,
    /// `Common` and these bytes: a synchronising access, which may be to local memory.
    CommonAnd(Location),
    /// `Common` and memory that is read-only within the grid: it waits for another grid.
    Grid,
}

/// The memory effects of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Memory that it reads or makes visible to other threads.
    pub reads: Footprint,
    /// Memory that it writes, or in which writes of other threads become visible.
    pub writes: Footprint,
}

/// Alias queries on a function's accesses. Values created after it was built are unknown to it,
/// which is safe.
pub struct Aliases {
    forms: Forms,
    escaped: SecondaryMap<Slot, bool>,
}

/// Whether the bytes that this load reads stay the same while the kernel runs.
pub fn is_constant(mem: &Mem) -> bool {
    matches!(mem.space, Space::Param | Space::Const)
        || (matches!(mem.space, Space::Global | Space::Generic)
            && matches!(mem.cache, Cache::Nc | Cache::NcEvictFirst | Cache::NcEvictLast | Cache::NcNoAllocate))
}

impl Aliases {
    /// Analyses a function.
    pub fn of(f: &Function, cfg: &Cfg) -> Aliases {
        let forms = Forms::of(f, cfg);
        let escaped = escaped(f, cfg, &forms);
        Aliases { forms, escaped }
    }

    /// Returns the linear forms of values.
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// Returns the location at an address value plus an offset.
    pub fn location(&self, space: Space, address: Value, offset: i32, bytes: u32) -> Location {
        let mut form = self.forms.get(address);
        form.offset = form.offset.wrapping_add(i64::from(offset));
        let mut space = space;
        if space == Space::Generic {
            let window = form.terms.iter().position(|t| matches!(t, (Atom::LocalWindow | Atom::SharedWindow, 1)));
            if let Some(at) = window {
                space = if form.terms.remove(at).0 == Atom::LocalWindow { Space::Local } else { Space::Shared };
            }
        }
        if !matches!(space, Space::Generic | Space::Global) {
            form = self.forms.low(&form);
        }
        Location { space, form, bytes }
    }

    /// Returns the access and the location of a load or store.
    pub fn access(&self, f: &Function, inst: Inst) -> Option<(Mem, Location)> {
        let d = &f.insts[inst];
        match d.op {
            Op::Load(mem) | Op::Store(mem) => {
                let bytes = mem.ty.bytes() * u32::from(mem.count);
                Some((mem, self.location(mem.space, d.args[0], mem.offset, bytes)))
            }
            _ => None,
        }
    }

    /// Returns how two locations overlap.
    pub fn relate(&self, f: &Function, a: &Location, b: &Location) -> Relation {
        if !spaces_meet(a.space, b.space) {
            return Relation::Apart;
        }
        if a.space == b.space && a.form.terms == b.form.terms {
            let delta = b.form.offset.wrapping_sub(a.form.offset);
            let delta = if matches!(a.space, Space::Generic | Space::Global) { delta } else { i64::from(delta as i32) };
            let apart = delta >= i64::from(a.bytes) || delta.saturating_add(i64::from(b.bytes)) <= 0;
            return if apart { Relation::Apart } else { Relation::At(delta) };
        }
        if self.apart(f, a, b) || self.apart(f, b, a) { Relation::Apart } else { Relation::Unknown }
    }

    /// Whether two locations certainly share no byte.
    pub fn disjoint(&self, f: &Function, a: &Location, b: &Location) -> bool {
        self.relate(f, a, b) == Relation::Apart
    }

    /// Whether `b` cannot reach the variable or symbol of `a`.
    fn apart(&self, f: &Function, a: &Location, b: &Location) -> bool {
        if let Some(s) = a.form.slot() {
            return match b.form.slot() {
                Some(t) => s != t && !(f.slots[s].dynamic && f.slots[t].dynamic),
                // A constant address may be anywhere in the window.
                None => !b.form.terms.is_empty() && b.form.slots().next().is_none() && !self.escaped[s],
            };
        }
        match (symbol(&a.form), symbol(&b.form)) {
            (Some(g), Some(h)) => g != h,
            _ => false,
        }
    }

    /// Returns the memory effects of an instruction.
    pub fn effect(&self, f: &Function, inst: Inst) -> Effect {
        let d = &f.insts[inst];
        let both = |reads, writes| Effect { reads, writes };
        let all = |reach: Footprint| both(reach.clone(), reach);
        let nothing = || both(Footprint::Nothing, Footprint::Nothing);
        match d.op {
            Op::Load(mem) | Op::Store(mem) => {
                let bytes = mem.ty.bytes() * u32::from(mem.count);
                let at = self.location(mem.space, d.args[0], mem.offset, bytes);
                match (d.op, mem.strength()) {
                    (Op::Load(_), Strength::Weak) if is_constant(&mem) => nothing(),
                    (Op::Load(_), Strength::Weak) => both(Footprint::Bytes(at), Footprint::Nothing),
                    (_, Strength::Weak) => both(Footprint::Nothing, Footprint::Bytes(at)),
                    (_, Strength::Strong) => all(Footprint::Bytes(at)),
                    (_, Strength::Acquire | Strength::Release | Strength::Both) => all(Footprint::CommonAnd(at)),
                }
            }
            Op::Atom(a) | Op::Red(a) => {
                let at = self.location(a.space, d.args[0], a.offset, a.ty.width().bits() / 8);
                match order::strength(&d.op) {
                    Some(Strength::Weak | Strength::Strong) => all(Footprint::Bytes(at)),
                    _ => all(Footprint::CommonAnd(at)),
                }
            }
            // Its bytes are those of other addresses, too.
            Op::LoadReduce(..) => all(Footprint::Space(Space::Global)),
            Op::Bar(_) | Op::Fence(..) | Op::FenceAsync(_) | Op::WarpSync | Op::GridDepLaunch | Op::CpAsyncWait(_) => {
                all(Footprint::Common)
            }
            // A function may access all memory but parameters and constants.
            Op::Call(_) | Op::CallAt => all(Footprint::Space(Space::Generic)),
            Op::GridDepWait => all(Footprint::Grid),
            Op::Wgmma(_) | Op::WgmmaWait(..) => all(Footprint::Common),
            Op::CpAsync(..) | Op::Bulk(_) | Op::Tensor(_) | Op::BulkCommit | Op::BulkWait(..) => all(Footprint::Common),
            Op::TensorMap(_) | Op::StoreAsync(_) | Op::RedAsync(..) | Op::Mbar(_) | Op::ClusterBar(_) => {
                all(Footprint::Common)
            }
            Op::LdMatrix(..) => both(Footprint::Space(Space::Shared), Footprint::Nothing),
            Op::StMatrix(..) => all(Footprint::Space(Space::Shared)),
            // A surface may be memory that is also accessed by address.
            Op::SurfLoad(_) => both(Footprint::Space(Space::Global), Footprint::Nothing),
            Op::SurfStore(_) | Op::SurfRed(_) => all(Footprint::Space(Space::Global)),
            Op::DiscardLine => all(Footprint::Space(Space::Global)),
            // The debugger and the host may inspect what was written before.
            Op::Trap | Op::Brkpt => both(Footprint::Common, Footprint::Nothing),
            _ => nothing(),
        }
    }

    /// Whether an instruction that touches `reach` may touch a location. `constant`: the location
    /// is read-only within the grid.
    pub fn reaches(&self, f: &Function, reach: &Footprint, location: &Location, constant: bool) -> bool {
        match reach {
            Footprint::Nothing => false,
            Footprint::Grid => matches!(location.space, Space::Global | Space::Generic | Space::Shared),
            _ if constant => false,
            Footprint::Bytes(other) => !self.disjoint(f, other, location),
            Footprint::Space(space) => spaces_meet(*space, location.space),
            Footprint::Common => !matches!(location.space, Space::Local | Space::Param | Space::Const),
            Footprint::CommonAnd(other) => {
                self.reaches(f, &Footprint::Common, location, constant) || !self.disjoint(f, other, location)
            }
        }
    }
}

/// Returns the symbol an address points into, if it is the only one.
fn symbol(form: &Form) -> Option<raddle_ir::Sym> {
    let mut symbols = form.terms.iter().filter_map(|t| if let Atom::Symbol(g) = t.0 { Some((g, t.1)) } else { None });
    match (symbols.next(), symbols.next()) {
        (Some((g, 1)), None) => Some(g),
        _ => None,
    }
}

/// Whether addresses of the two spaces may be the same byte.
fn spaces_meet(a: Space, b: Space) -> bool {
    let generic = |s| matches!(s, Space::Global | Space::Shared | Space::Local | Space::Generic);
    a == b || (a == Space::Generic && generic(b)) || (b == Space::Generic && generic(a))
}

/// The variables whose address is used for more than accesses, so that unknown addresses may point
/// into them.
fn escaped(f: &Function, cfg: &Cfg, forms: &Forms) -> SecondaryMap<Slot, bool> {
    let mut out: SecondaryMap<Slot, bool> = SecondaryMap::new();
    let mut dynamic = false;
    forms.for_each_slot_use(f, cfg, |slot, by| {
        let access = |(i, n, form): (Inst, usize, &Form)| {
            let address = n == 0 && matches!(f.insts[i].op, Op::Load(_) | Op::Store(_) | Op::Atom(_) | Op::Red(_));
            address && form.slot().is_some()
        };
        if !by.is_some_and(access) {
            out[slot] = true;
            dynamic |= f.slots[slot].dynamic;
        }
    });
    if dynamic {
        f.slots.iter().filter(|(_, d)| d.dynamic).for_each(|(slot, _)| out[slot] = true);
    }
    out
}

/// The memory that a set of instructions may write, to test a load against all of them at once
/// (moving it out of a loop).
pub struct Clobbers {
    writes: Vec<Location>,
    spaces: Vec<Space>,
    common: bool,
    grid: bool,
}

/// Most written locations that [`Clobbers`] distinguishes; above that, it decides by state space.
const MAX_WRITES: usize = 64;

impl Clobbers {
    /// Collects the writes of these instructions.
    pub fn of(aliases: &Aliases, f: &Function, insts: impl IntoIterator<Item = Inst>) -> Clobbers {
        let mut out = Clobbers { writes: Vec::new(), spaces: Vec::new(), common: false, grid: false };
        for i in insts {
            match aliases.effect(f, i).writes {
                Footprint::Nothing => {}
                Footprint::Bytes(location) => out.write(location),
                Footprint::Space(space) => out.space(space),
                Footprint::CommonAnd(location) => {
                    out.write(location);
                    out.common = true;
                }
                Footprint::Common => out.common = true,
                Footprint::Grid => (out.common, out.grid) = (true, true),
            }
        }
        out
    }

    fn write(&mut self, location: Location) {
        if self.writes.len() < MAX_WRITES {
            self.writes.push(location);
        } else {
            self.space(location.space);
        }
    }

    fn space(&mut self, space: Space) {
        if !self.spaces.contains(&space) {
            self.spaces.push(space);
        }
    }

    /// Whether one of the instructions may change what a weak load reads; true for every strong
    /// load.
    pub fn change(&self, aliases: &Aliases, f: &Function, load: Inst) -> bool {
        let Some((mem, location)) = aliases.access(f, load) else { return true };
        let constant = is_constant(&mem);
        let meets = |reach: &Footprint| aliases.reaches(f, reach, &location, constant);
        !mem.is_weak()
            || (self.common && meets(&Footprint::Common))
            || (self.grid && meets(&Footprint::Grid))
            || self.spaces.iter().any(|&space| meets(&Footprint::Space(space)))
            || (!constant && self.writes.iter().any(|w| !aliases.disjoint(f, w, &location)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Aliases, Clobbers, Relation};
    use raddle_ir::cfg::Cfg;
    use raddle_ir::order::{self, Event, Strength};
    use raddle_ir::text::parse;
    use raddle_ir::{Function, Inst, Op, Space};

    const HEAD: &str = "kernel k\n params 0:8 8:8\n slot s0 shared 64 align 16 \"a\"\n slot s1 shared 64 align 16 \"b\"\n \
        slot s2 local 64 align 16 \"c\"\n sym g0 \"x\"\n sym g1 \"y\"\nb0:\n v0: b32 = slotaddr.s0.0\n v1: b32 = slotaddr.s1.4\n \
        v2: b32 = const.0\n v3: b64 = load.param.b64.1.0 v2\n v4: b64 = load.param.b64.1.8 v2\n v5: b32 = special.tid_x\n \
        v6: b32 = const.2\n v7: b32 = shl v5, v6\n v8: b32 = add v0, v7\n v9: b32 = slotaddr.s2.8\n v10: b64 = symaddr.g0.0\n \
        v11: b64 = symaddr.g1.0\n v12: b32 = const.4\n v13: b64 = madwide.s v5, v12, v3\n v14: b32 = special.shared_window_hi\n \
        v15: b64 = pack v8, v14\n v16: b32 = load.shared.b32.1.0 v7\n";

    fn function(body: &str) -> (Function, Vec<Inst>) {
        let f = parse(&format!("{HEAD}{body} exit\nend\n")).unwrap().remove(0);
        raddle_ir::verify::verify(&f).unwrap();
        let accesses = f.blocks[f.entry()].insts.iter().copied();
        let skip = parse(&format!("{HEAD} exit\nend\n")).unwrap().remove(0).insts.len();
        let accesses = accesses.skip(skip).collect();
        (f, accesses)
    }

    fn relation(first: &str, second: &str) -> Relation {
        let (f, insts) = function(&format!(" v100: b32 = {first}\n v101: b32 = {second}\n"));
        let aliases = Aliases::of(&f, &Cfg::of(&f));
        let location = |i: Inst| aliases.access(&f, i).unwrap().1;
        let (a, b) = (location(insts[0]), location(insts[1]));
        let there = aliases.relate(&f, &a, &b);
        let back = aliases.relate(&f, &b, &a);
        assert_eq!(there == Relation::Unknown, back == Relation::Unknown);
        assert_eq!(there == Relation::Apart, back == Relation::Apart);
        there
    }

    #[test]
    fn spaces_variables_and_symbols_are_apart() {
        for (a, b, want) in [
            ("load.shared.b32.1.0 v8", "load.global.b32.1.0 v13", Relation::Apart),
            ("load.shared.b32.1.0 v8", "load.shared.b32.1.0 v1", Relation::Apart),
            ("load.local.b32.1.0 v9", "load.generic.b32.1.0 v13", Relation::Apart),
            ("load.global.b32.1.0 v10", "load.global.b32.1.0 v11", Relation::Apart),
            ("load.global.b32.1.0 v10", "load.global.b32.1.0 v3", Relation::Unknown),
            ("load.global.b32.1.0 v3", "load.global.b32.1.0 v4", Relation::Unknown),
            ("load.generic.b32.1.0 v3", "load.global.b32.1.0 v3", Relation::Unknown),
            ("load.shared.b32.1.0 v0", "load.shared.b32.1.0 v8", Relation::Unknown),
            ("load.shared.b32.1.0 v0", "load.shared.b32.1.0 v2", Relation::Unknown),
            // The window makes a generic address a shared one.
            ("load.shared.b32.1.4 v8", "load.generic.b32.1.4 v15", Relation::At(0)),
            ("load.shared.b32.1.0 v1", "load.generic.b32.1.4 v15", Relation::Apart),
        ] {
            assert_eq!(relation(a, b), want, "{a} / {b}");
        }
    }

    #[test]
    fn equal_terms_leave_a_distance() {
        for (a, b, want) in [
            ("load.global.b32.1.0 v13", "load.global.b32.1.4 v13", Relation::Apart),
            ("load.global.b32.1.4 v13", "load.global.b32.1.4 v13", Relation::At(0)),
            ("load.global.u16.1.6 v13", "load.global.b32.1.4 v13", Relation::At(-2)),
            ("load.shared.b32.1.-4 v8", "load.shared.b32.1.0 v8", Relation::Apart),
        ] {
            assert_eq!(relation(a, b), want, "{a} / {b}");
        }
    }

    #[test]
    fn an_escaped_variable_may_be_anywhere() {
        let text = "load.shared.b32.1.0 v16";
        assert_eq!(relation(text, "load.shared.b32.1.0 v1"), Relation::Apart);
        // Through a generic address.
        assert_eq!(relation(text, "load.shared.b32.1.0 v8"), Relation::Unknown);
        let (f, insts) = function(&format!(
            " store.global.b32.1.0 v3, v1\n v100: b32 = {text}\n v101: b32 = load.shared.b32.1.0 v1\n \
             v102: b32 = load.local.b32.1.0 v9\n"
        ));
        let aliases = Aliases::of(&f, &Cfg::of(&f));
        let location = |n: usize| aliases.access(&f, insts[n]).unwrap().1;
        assert_eq!(aliases.relate(&f, &location(1), &location(2)), Relation::Unknown);
        assert_eq!(aliases.relate(&f, &location(1), &location(3)), Relation::Apart);
    }

    #[test]
    fn what_a_load_may_be_moved_across() {
        // Does the instruction change what a global, read-only, shared and local load reads?
        for (text, want) in [
            ("store.global.b32.1.0 v4, v5", [true, false, false, false]),
            ("store.global.b32.1.4 v3, v5", [false, false, false, false]),
            ("store.shared.b32.1.0 v1, v5", [false, false, true, false]),
            ("store.shared.b32.1.0 v8, v5", [false, false, false, false]),
            ("store.generic.b32.1.0 v4, v5", [true, false, false, false]),
            ("red.add.u32.global.relaxed.gpu.0 v4, v5", [true, false, false, false]),
            ("red.add.u32.global.acqrel.gpu.0 v4, v5", [true, false, true, false]),
            ("bar.sync v2, v2", [true, false, true, false]),
            ("fence.acqrel.gpu", [true, false, true, false]),
            ("warpsync v5", [true, false, true, false]),
            ("griddepwait", [true, true, true, false]),
            ("v90: b32 = load.global.b32.1.volatile.sys.0 v3", [true, false, false, false]),
            ("v90: b32 = load.global.b32.1.acquire.gpu.64 v3", [true, false, true, false]),
            ("store.local.b32.1.release.cta.0 v9, v5", [true, false, true, true]),
            ("v90: b32, v91: p = shfl.down v5, v2, v2, v2", [false, false, false, false]),
            ("nanosleep v5", [false, false, false, false]),
        ] {
            let (f, insts) = function(&format!(
                " {text}\n v100: b32 = load.global.b32.1.0 v3\n v101: b32 = load.global.b32.1.nc.0 v3\n \
                 v102: b32 = load.shared.b32.1.0 v1\n v103: b32 = load.local.b32.1.0 v9\n"
            ));
            let aliases = Aliases::of(&f, &Cfg::of(&f));
            let clobbers = Clobbers::of(&aliases, &f, insts[..1].iter().copied());
            let loads = insts.iter().copied().skip(1).filter(|&i| matches!(f.insts[i].op, Op::Load(_)));
            let got: Vec<bool> = loads.map(|i| clobbers.change(&aliases, &f, i)).collect();
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn whatever_the_rules_of_order_forbid_to_pass_is_reached() {
        let event = |strength, writes, private| Event { strength, writes, private };
        let mut forbidden = 0;
        for text in [
            "store.global.b32.1.0 v4, v5",
            "v90: b32 = load.shared.b32.1.volatile.sys.0 v8",
            "v90: b32 = load.global.b32.1.acquire.gpu.64 v3",
            "store.shared.b32.1.relaxed.cta.0 v8, v5",
            "store.global.b32.1.release.cta.64 v4, v5",
            "red.add.u32.global.relaxed.gpu.0 v4, v5",
            "red.add.u32.global.acqrel.gpu.0 v4, v5",
            "bar.sync v2, v2",
            "fence.acqrel.gpu",
            "warpsync v5",
            "griddepwait",
        ] {
            let (f, insts) = function(&format!(
                " {text}\n v100: b32 = load.global.b32.1.0 v3\n v102: b32 = load.shared.b32.1.0 v1\n \
                 v103: b32 = load.local.b32.1.0 v9\n store.global.b32.1.8 v3, v5\n store.shared.b32.1.0 v1, v5\n \
                 store.local.b32.1.0 v9, v5\n"
            ));
            let aliases = Aliases::of(&f, &Cfg::of(&f));
            let (passed, effect) = (&f.insts[insts[0]].op, aliases.effect(&f, insts[0]));
            let strength = order::strength(passed).unwrap();
            let there = aliases.access(&f, insts[0]).map(|a| a.1);
            for &x in &insts[1..] {
                let Some((mem, location)) = aliases.access(&f, x) else { continue };
                let writes = matches!(f.insts[x].op, Op::Store(_));
                let moved = event(Strength::Weak, writes, mem.space == Space::Local);
                let other = event(strength, !matches!(passed, Op::Load(_)), false);
                let overlap = there.as_ref().is_some_and(|there| !aliases.disjoint(&f, there, &location));
                let reached = |reach| aliases.reaches(&f, reach, &location, false);
                if !order::may_swap(moved, other, overlap) || !order::may_swap(other, moved, overlap) {
                    forbidden += 1;
                    assert!(reached(&effect.writes) || writes && reached(&effect.reads), "{text}: {:?}", f.insts[x].op);
                }
            }
        }
        assert!(forbidden > 25, "{forbidden}");
    }
}
