//! Generates a kernel from a seed.

use raddle_ptx::examples::{OperandRequirement, Role};
use raddle_ptx::{Mod, Ty, TyClass};

use super::forms::{Form, Forms};
use super::frame::EVERYTHING;
use super::patterns::pattern;
use super::registers::{Bank, Register, bank, literal};
use super::tree::{Inst, Leave, MOST_LABELS, PLACE, Program, SHARED_ROUNDS, Stmt};
use crate::rng::Rng;

/// The context of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// All lanes of all warps execute it.
    Everywhere,
    /// Some lanes execute it.
    Divergent,
    /// In a function.
    Function,
}

/// The requirement on an operand for the instruction to be defined.
#[derive(Clone, Copy)]
enum Ask {
    /// Only these bits may be set (PTX ISA 9.0, 9.7.1: positions and lengths are below 256).
    Mask(u64),
    /// Not zero: the result of a division by zero is undefined (PTX ISA 9.0, 9.7.1.8).
    NotZero,
    /// A literal below this.
    Below(usize),
    /// All lanes of the warp.
    AllLanes,
    /// A generic address.
    Generic,
}

/// The prefix of the key, the number of the operand, the requirement.
const ASKED: &[(&str, usize, Ask)] = &[
    ("div.u", 2, Ask::NotZero),
    ("div.s", 2, Ask::NotZero),
    ("rem.", 2, Ask::NotZero),
    ("bfe.", 2, Ask::Mask(255)),
    ("bfe.", 3, Ask::Mask(255)),
    ("bfi.", 3, Ask::Mask(255)),
    ("bfi.", 4, Ask::Mask(255)),
    ("lop3.", 4, Ask::Below(256)),
    ("fns.", 2, Ask::Mask(31)),
    ("shfl.", 4, Ask::AllLanes),
    ("vote.", 2, Ask::AllLanes),
    ("match.", 2, Ask::AllLanes),
    ("redux.", 2, Ask::AllLanes),
    ("elect", 1, Ask::AllLanes),
    ("bar.warp.sync", 0, Ask::AllLanes),
    ("nanosleep", 0, Ask::Below(50)),
    ("pmevent", 0, Ask::Below(16)),
    ("isspacep", 1, Ask::Generic),
];

/// Special registers whose values are the same on every machine.
const SPECIALS: &[(&str, Ty)] = &[
    ("%tid.x", Ty::U32),
    ("%tid.y", Ty::U32),
    ("%ntid.x", Ty::U32),
    ("%ctaid.x", Ty::U32),
    ("%nctaid.x", Ty::U32),
    ("%laneid", Ty::U32),
    ("%lanemask_eq", Ty::U32),
    ("%lanemask_le", Ty::U32),
    ("%lanemask_lt", Ty::U32),
    ("%lanemask_ge", Ty::U32),
    ("%lanemask_gt", Ty::U32),
];

/// Makes an instruction of a form with random operands. `None` if no register has an operand's
/// type.
pub fn instruct(rng: &mut Rng, number: usize, form: &Form, at: Where) -> Option<Inst> {
    let shape = &form.example.shape;
    let mut inst = Inst {
        setup: Vec::new(),
        guard: String::new(),
        dotted: shape.dotted.to_string(),
        operands: Vec::new(),
        after: String::new(),
        form: number,
    };
    let policy = form.has(Mod::L2CacheHint);
    let last = form.example.needs.len().saturating_sub(1);
    let shared = shared_cell(rng, form);
    for (n, need) in form.example.needs.iter().enumerate() {
        let asked = ASKED.iter().find(|row| form.key.starts_with(row.0) && row.1 == n).map(|row| row.2);
        let text = match (asked, need.role) {
            (Some(ask), _) => ask_for(rng, ask, n, need, &mut inst.setup)?,
            // The number of a barrier; all threads participate.
            (None, Role::Use) if n <= 1 && form.op().starts_with("bar") && need.ty == Some(Ty::U32) => {
                if need.optional || inst.operands.iter().any(|o| o.parse::<u32>().is_ok()) {
                    continue;
                }
                rng.below(16).to_string()
            }
            (None, _) if need.optional && !(policy && n == last) => continue,
            (None, _) if policy && n == last => "%policy".to_owned(),
            (None, Role::Addr) => match shared {
                Some(cell) => format!("[%acell+{cell}]"),
                None => address(rng, form, &mut inst.setup)?,
            },
            (None, Role::Use) if shared.is_some() && (form.has(Mod::Inc) || form.has(Mod::Dec)) => "1000".to_owned(),
            (None, _) => operand(rng, &sharpen(form, need), &inst.operands)?,
        };
        inst.operands.push(text);
    }
    carry(rng, form, &mut inst.setup)?;
    inst.after = canonical(form, &inst.operands);
    if at != Where::Everywhere && form.crosses() {
        return None;
    }
    if !form.crosses() && rng.chance(1, 6) {
        inst.guard = guard(rng);
    }
    Some(inst)
}

/// The bits of a NaN from `abs` and `neg` of half precision are undefined (PTX ISA 9.0, 9.7.4.6,
/// 9.7.4.7), and so are those from widening `bf16`; the minimum of it with itself gives the
/// canonical NaN.
fn canonical(form: &Form, operands: &[String]) -> String {
    match (form.op(), form.example.shape.types.first(), operands.first()) {
        ("abs" | "neg", Some(ty @ (Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2)), Some(d)) => {
            format!("min.NaN.{} {d}, {d}, {d};", ty.name())
        }
        ("cvt", Some(Ty::F32), Some(d)) if form.example.shape.types.last() == Some(&Ty::Bf16) => {
            format!("min.NaN.f32 {d}, {d}, {d};")
        }
        _ => String::new(),
    }
}

fn guard(rng: &mut Rng) -> String {
    format!("@{}{}", if rng.chance(1, 2) { "!" } else { "" }, Bank::P.draw(rng))
}

fn ask_for(rng: &mut Rng, ask: Ask, n: usize, need: &OperandRequirement, setup: &mut Vec<String>) -> Option<String> {
    let ty = need.ty?;
    let bits = ty.bits();
    let temporary = match bits {
        16 => format!("%th{n}"),
        32 => format!("%tr{n}"),
        64 => format!("%tl{n}"),
        _ => return None,
    };
    Some(match ask {
        Ask::Below(limit) => rng.below(limit).to_string(),
        Ask::AllLanes => "-1".to_owned(),
        Ask::Mask(mask) if need.role == Role::Imm || rng.chance(1, 3) => (rng.next() & mask).to_string(),
        Ask::Mask(mask) => {
            let source = bank(ty, false, rng)?.draw(rng);
            setup.push(format!("and.b{bits} {temporary}, {source}, {mask};"));
            temporary
        }
        Ask::NotZero => match rng.below(3) {
            0 => {
                let value = literal(ty, rng)?;
                if value.trim_start_matches("0x").trim_start_matches('0').is_empty() { "7".to_owned() } else { value }
            }
            _ => {
                let source = bank(ty, false, rng)?.draw(rng);
                setup.push(format!("or.b{bits} {temporary}, {source}, {};", 1u64 << rng.below(bits as usize - 2)));
                temporary
            }
        },
        Ask::Generic => (*rng.pick(&["%gs", "%gl", "%ag"])).to_owned(),
    })
}

/// The cell of an atomic that all threads access: one operation for each cell, so that their order
/// does not matter.
fn shared_cell(rng: &mut Rng, form: &Form) -> Option<usize> {
    const OPS: [Mod; 8] = [Mod::Add, Mod::And, Mod::Or, Mod::Xor, Mod::Inc, Mod::Dec, Mod::Min, Mod::Max];
    let ty = *form.example.shape.types.first()?;
    let anywhere =
        [Mod::Shared, Mod::SharedCta, Mod::SharedCluster, Mod::Cta, Mod::Cluster, Mod::Noftz, Mod::V2, Mod::V4];
    if form.op() != "red" || ty.class() == TyClass::Float || anywhere.iter().any(|&m| form.has(m)) || rng.chance(1, 2) {
        return None;
    }
    let op = OPS.iter().position(|&m| form.has(m))?;
    let signed = usize::from(ty.class() == TyClass::Signed);
    let bits = usize::from(ty.bits() == 64);
    Some(((op * 2 + signed) * 2 + bits) * 8)
}

/// An address in the thread's own slot of the instruction's state space, aligned for the access
/// size.
fn address(rng: &mut Rng, form: &Form, setup: &mut Vec<String>) -> Option<String> {
    let moved = form.example.needs.iter().filter(|n| matches!(n.role, Role::Def | Role::Use | Role::Reg));
    let vec = form.example.needs.iter().map(|n| n.vec).max().unwrap_or(0).max(1);
    let ty = form.example.shape.types.last().copied();
    let bytes = match ty {
        Some(ty) => (ty.bits() as usize / 8).max(1) * usize::from(vec),
        None => moved.map(|n| n.ty.map_or(4, |t| t.bits() as usize / 8)).max().unwrap_or(4),
    };
    if bytes > 32 {
        return None;
    }
    let reads_only = form.has(Mod::Nc) || form.op() == "ldu";
    let base = if form.has(Mod::Shared) || form.has(Mod::SharedCta) || form.has(Mod::SharedCluster) {
        *rng.pick(&["%as", "%as64"])
    } else if form.has(Mod::Local) {
        "%al"
    } else if form.has(Mod::Const) {
        *rng.pick(&["%ac", "kc"])
    } else if form.has(Mod::Param) || form.has(Mod::ParamEntry) {
        "pblob"
    } else if reads_only {
        "%ain"
    } else if form.has(Mod::Global) || form.op().starts_with("red") && vec > 1 {
        "%ag"
    } else if form.op() == "atom" || form.op() == "red" {
        *rng.pick(&["%gs", "%ag"])
    } else {
        *rng.pick(&["%gs", "%gl", "%ag"])
    };
    let offset = rng.below(PLACE / bytes) * bytes;
    if base.starts_with('%') && rng.chance(1, 3) {
        // An address that the thread computes.
        let mask = (PLACE - 1) & !(bytes - 1);
        setup.push(format!("and.b32 %tr6, {}, {mask};", Bank::R.draw(rng)));
        if base == "%as" {
            setup.push("add.u32 %tr6, %tr6, %as;".to_owned());
            return Some("[%tr6]".to_owned());
        }
        setup.push(format!("cvt.u64.u32 %tl6, %tr6;\n    add.u64 %tl6, %tl6, {base};"));
        return Some("[%tl6]".to_owned());
    }
    Some(match offset {
        0 => format!("[{base}]"),
        _ => format!("[{base}+{offset}]"),
    })
}

/// An instruction that reads the carry flag needs one before it that writes it (PTX ISA 9.0,
/// 9.7.2).
fn carry(rng: &mut Rng, form: &Form, setup: &mut Vec<String>) -> Option<()> {
    let writer = match form.op() {
        "addc" | "madc" => "add.cc",
        "subc" => "sub.cc",
        _ => return Some(()),
    };
    let ty = *form.example.shape.types.first()?;
    let bank = bank(ty, false, rng)?;
    let (a, b) = (bank.draw(rng), bank.draw(rng));
    let temporary = if ty.bits() == 64 { "%tl7" } else { "%tr7" };
    setup.push(format!("{writer}.{} {temporary}, {a}, {b};", ty.name()));
    Some(())
}

/// The requirement without what the table allows and ptxas 13.0.88 does not: registers wider than a
/// float or than untyped bits, except in loads and stores; special registers converted to floats;
/// literals converted from packed formats.
fn sharpen(form: &Form, need: &OperandRequirement) -> OperandRequirement {
    let integer = |ty: Ty| matches!(ty.class(), TyClass::Signed | TyClass::Unsigned);
    let moves = matches!(form.op(), "ld" | "st" | "ldu");
    let special = need.special && (form.op() == "mov" || form.example.shape.types.iter().all(|&ty| integer(ty)));
    let number = |ty: Ty| integer(ty) || matches!(ty, Ty::F32 | Ty::F64);
    let packed = form.op() == "cvt" && form.example.shape.types.last().is_some_and(|&ty| !number(ty));
    let role = if packed && need.role == Role::Use { Role::Reg } else { need.role };
    OperandRequirement { role, relaxed: need.relaxed && (moves || need.ty.is_some_and(integer)), special, ..*need }
}

/// An operand without special requirements.
fn operand(rng: &mut Rng, need: &OperandRequirement, before: &[String]) -> Option<String> {
    let predicate = |rng: &mut Rng| Bank::P.draw(rng);
    let negation = |rng: &mut Rng| if rng.chance(1, 3) { "!" } else { "" };
    Some(match need.role {
        Role::Def | Role::Use | Role::Reg if need.vec > 0 => {
            let bank = bank(need.ty?, need.relaxed, rng)?;
            let first = bank.draw(rng).number;
            // Registers of a written vector are distinct.
            let count = super::registers::BANKS[bank as usize].4;
            if usize::from(need.vec) > count {
                return None;
            }
            let members =
                (0..usize::from(need.vec)).map(|n| Register { bank, number: (first + n) % count }.to_string());
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Role::Use if rng.chance(1, 6) => match literal(need.ty?, rng) {
            Some(literal) if need.ty?.bits() > 8 => literal,
            _ => bank(need.ty?, need.relaxed, rng)?.draw(rng).to_string(),
        },
        Role::Use if need.special && rng.chance(1, 8) => {
            let fitting: Vec<&str> =
                SPECIALS.iter().filter(|s| s.1.bits() == need.ty.map_or(0, Ty::bits)).map(|s| s.0).collect();
            match fitting.is_empty() || need.ty?.class() == TyClass::Float {
                true => bank(need.ty?, need.relaxed, rng)?.draw(rng).to_string(),
                false => (*rng.pick(&fitting)).to_owned(),
            }
        }
        Role::Def | Role::Use | Role::Reg | Role::VideoDef | Role::VideoUse => {
            bank(need.ty?, need.relaxed, rng)?.draw(rng).to_string()
        }
        Role::DefPred => {
            let d = bank(need.ty?, need.relaxed, rng)?.draw(rng);
            match before.is_empty() {
                true => format!("{d}|{}", predicate(rng)),
                false => d.to_string(),
            }
        }
        Role::Imm => rng.below(4).to_string(),
        Role::PredDef => predicate(rng).to_string(),
        Role::PredPairDef if rng.chance(1, 3) => {
            let p = rng.below(4);
            format!("%p{p}|%p{}", (p + 1 + rng.below(3)) % 4)
        }
        Role::PredPairDef => predicate(rng).to_string(),
        Role::PredUse => format!("{}{}", negation(rng), predicate(rng)),
        Role::Addr | Role::Other => return None,
    })
}

/// The size of kernels: a small one shows most defects as well as a large one, in less time.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The most statements of seven kernels in eight.
    pub few: usize,
    /// The most statements of the eighth.
    pub many: usize,
}

struct Generator<'a> {
    rng: Rng,
    forms: &'a Forms,
    labels: usize,
    functions: Vec<Vec<Stmt>>,
    patterns: usize,
    /// Loops that a jump may leave from here.
    loops: Vec<usize>,
    /// Enclosing loops, whose counters can be read.
    counters: Vec<usize>,
    /// Whether lanes may have ended.
    exited: bool,
    /// Whether an enclosing loop needs all lanes.
    bound: bool,
    budget: usize,
}

/// Generates the kernel of a seed.
pub fn generate(forms: &Forms, seed: u64, size: Size) -> Program {
    let mut rng = Rng::new(seed, 7);
    let most = if rng.chance(1, 8) { size.many } else { size.few };
    let budget = most / 3 + rng.below(most - most / 3);
    let blocks = if rng.chance(1, 8) { 2 } else { 1 };
    let registers = if rng.chance(1, 8) { *rng.pick(&[24, 32, 40, 64]) } else { 0 };
    let everything = rng.chance(1, EVERYTHING);
    let mut generator = Generator {
        rng,
        forms,
        labels: 0,
        functions: Vec::new(),
        patterns: 0,
        loops: Vec::new(),
        counters: Vec::new(),
        exited: false,
        bound: false,
        budget,
    };
    let body = generator.block(0, true);
    Program { seed, blocks, registers, everything, body, functions: generator.functions }
}

impl Generator<'_> {
    /// Generates statements until the budget is used up (at the top level), or a few of them.
    fn block(&mut self, depth: usize, uniform: bool) -> Vec<Stmt> {
        let mut count = if depth == 0 { usize::MAX } else { 1 + self.rng.below(6) };
        let mut body = Vec::new();
        while count > 0 && self.budget > 0 {
            count -= 1;
            self.budget -= 1;
            let stmt = self.statement(depth, uniform && !self.exited);
            body.extend(stmt);
        }
        body
    }

    fn statement(&mut self, depth: usize, uniform: bool) -> Option<Stmt> {
        if self.rng.chance(1, 12) {
            self.patterns += 1;
            return Some(pattern(&mut self.rng, self.patterns, &self.counters));
        }
        if self.rng.chance(4, 5) || depth > 3 || self.labels + 2 > MOST_LABELS {
            return Some(self.inst(if uniform { Where::Everywhere } else { Where::Divergent }));
        }
        let id = self.labels;
        let register = Bank::R.draw(&mut self.rng).to_string();
        Some(match self.rng.below(9) {
            0..=2 => {
                self.labels += 1;
                let uniform = uniform && self.rng.chance(1, 3);
                let guard = if uniform { String::new() } else { guard(&mut self.rng) };
                let then = self.block(depth + 1, uniform);
                let other = if self.rng.chance(1, 2) { self.block(depth + 1, uniform) } else { Vec::new() };
                Stmt::If { id, guard, then, other }
            }
            3..=4 => {
                self.labels += 1;
                let together = uniform && self.rng.chance(1, 2);
                let rounds = match self.rng.below(6) {
                    0..=2 if !together => register,
                    0 => SHARED_ROUNDS.to_owned(),
                    1 if self.counters.is_empty() => (4 + self.rng.below(14)).to_string(),
                    _ => self.rng.below(4).to_string(),
                };
                let outer = if together { std::mem::take(&mut self.loops) } else { self.loops.clone() };
                if !together {
                    self.loops.push(id);
                }
                let bound = self.bound;
                self.bound |= together;
                self.counters.push(id);
                let body = self.block(depth + 1, together);
                self.counters.pop();
                self.bound = bound;
                self.loops = outer;
                Stmt::Loop { id, rounds, bottom: self.rng.chance(1, 2), body }
            }
            5 if !self.loops.is_empty() => {
                let leave = if self.rng.chance(1, 2) { Leave::Break } else { Leave::Continue };
                Stmt::Leave { guard: guard(&mut self.rng), id: *self.rng.pick(&self.loops), leave }
            }
            6 if !self.bound && self.rng.chance(1, 2) => {
                self.exited = true;
                let word = *self.rng.pick(&["bra END", "bra END", "exit", "ret"]);
                Stmt::Exit { guard: guard(&mut self.rng), word }
            }
            7 => {
                self.labels += 1;
                let count = 2 << self.rng.below(3);
                let arms = (0..count).map(|_| self.block(depth + 1, false)).collect();
                Stmt::Switch { id, index: register, arms }
            }
            8 if uniform && self.rng.chance(1, 2) => {
                Stmt::Exchange { register, flip: 1 + self.rng.below(super::tree::THREADS - 1) }
            }
            8 => self.call(id),
            _ => return Some(self.inst(if uniform { Where::Everywhere } else { Where::Divergent })),
        })
    }

    fn call(&mut self, id: usize) -> Stmt {
        self.labels += 1;
        let function = self.rng.below(3).min(self.functions.len());
        if function == self.functions.len() {
            let body = (0..1 + self.rng.below(6)).map(|_| self.inst(Where::Function)).collect();
            self.functions.push(body);
        }
        Stmt::Call {
            function,
            id,
            narrow: Bank::R.draw(&mut self.rng).to_string(),
            wide: Bank::L.draw(&mut self.rng).to_string(),
            result: Bank::R.draw(&mut self.rng).to_string(),
        }
    }

    /// Generates an instruction: half of them by operation first, half of them by a pair of
    /// operation and type.
    fn inst(&mut self, at: Where) -> Stmt {
        let forms = self.forms;
        loop {
            let groups = if self.rng.chance(1, 2) { &forms.by_key } else { &forms.by_op };
            let group = self.rng.pick(groups);
            let number = *self.rng.pick(group);
            let form = &forms.list[number];
            if at == Where::Function && !form.is_pure() {
                continue;
            }
            if let Some(inst) = instruct(&mut self.rng, number, form, at) {
                return Stmt::Inst(inst);
            }
        }
    }
}
