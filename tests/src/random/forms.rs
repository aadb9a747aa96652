//! The instructions of random kernels: the spellings of the PTX table that compiler and interpreter
//! support.
//!
//! "Self-filtering": every spelling of every row becomes an instruction. Rows of [`OUTSIDE`] are
//! left out with the reason given there. Of the others, those that PTX does not have on the
//! architecture, that the compiler reports as unsupported, or that the interpreter does not
//! support, are left out with their error. New rows are included automatically.

use std::collections::{BTreeMap, BTreeSet};

use raddle_diag::Class;
use raddle_ptx::examples::{Example, Role, examples};
use raddle_ptx::{FormId, Mod};

use super::generate::{Where, instruct};
use super::judge::{compile, interpret};
use super::tree::{BEGIN, Inst, Program, Stmt};
use crate::level::Level;
use crate::rng::Rng;

/// Operations that are not used, and why; `*` matches any end of the name.
const OUTSIDE: &[(&str, &str)] = &[
    ("activemask", "which lanes run together is not defined"),
    ("alloca", "the stack's addresses are not defined"),
    ("barrier.cluster", "needs a cluster"),
    ("bra", "made as control flow"),
    ("brkpt", "ends the kernel"),
    ("brx", "made as control flow"),
    ("call", "made as control flow"),
    ("clusterlaunchcontrol*", "needs a cluster"),
    ("cp.*", "asynchronous copies"),
    ("createpolicy*", "the bits of a policy are not defined"),
    ("cvta", "addresses differ between machines; every prologue has them"),
    ("discard", "leaves memory undefined"),
    ("exit", "made as control flow"),
    ("fence.mbarrier_init", "asynchronous copies"),
    ("fence.proxy", "asynchronous copies"),
    ("getctarank", "needs a cluster"),
    ("istypep", "textures"),
    ("ldmatrix", "matrices"),
    ("mapa", "needs a cluster"),
    ("mbarrier*", "asynchronous copies"),
    ("mma", "matrices"),
    ("movmatrix", "matrices"),
    ("multimem*", "several GPUs"),
    ("red.async", "asynchronous copies"),
    ("ret", "made as control flow"),
    ("setmaxnreg", "changes what the launch promised"),
    ("st.async", "asynchronous copies"),
    ("st.bulk", "asynchronous copies"),
    ("stackrestore", "the stack's addresses are not defined"),
    ("stacksave", "the stack's addresses are not defined"),
    ("stmatrix", "matrices"),
    ("suld", "textures"),
    ("suq", "textures"),
    ("sured", "textures"),
    ("sust", "textures"),
    ("tcgen05*", "matrices"),
    ("tensormap*", "asynchronous copies"),
    ("tex", "textures"),
    ("tld4", "textures"),
    ("trap", "ends the kernel"),
    ("txq", "textures"),
    ("wgmma*", "matrices"),
    ("wmma*", "matrices"),
];

/// Modifiers that are not used, and why.
const OUTSIDE_MODS: &[(Mod, &str)] = &[
    (Mod::Arrive, "a barrier without a wait"),
    (Mod::ParamFunc, "made with calls"),
    (Mod::Tensormap, "the address has to be that of a tensor map"),
];

/// A spelling that is used.
#[derive(Clone, Debug)]
pub struct Form {
    /// Spelling and operands.
    pub example: Example,
    /// Operation x type: `add.s32`.
    pub key: String,
}

impl Form {
    fn new(example: Example) -> Self {
        let mut key = example.shape.op.name().to_owned();
        for ty in &example.shape.types {
            key.push('.');
            key.push_str(ty.name());
        }
        Self { example, key }
    }

    /// The name of the operation.
    pub fn op(&self) -> &'static str {
        self.example.shape.op.name()
    }

    /// Whether it has a modifier.
    pub fn has(&self, m: Mod) -> bool {
        self.example.shape.mods.contains(&m)
    }

    /// Whether it involves several lanes or warps.
    pub fn crosses(&self) -> bool {
        ["shfl", "vote", "match", "redux", "elect", "bar", "griddepcontrol"].iter().any(|op| self.op().starts_with(op))
    }

    /// Whether it only uses registers, so that a function can contain it.
    pub fn is_pure(&self) -> bool {
        let addressed = self.example.needs.iter().any(|need| need.role == Role::Addr);
        !addressed && !self.crosses() && self.op() != "isspacep"
    }
}

/// The forms of an architecture.
#[derive(Clone, Debug)]
pub struct Forms {
    /// The architecture.
    pub arch: &'static str,
    /// The forms that are used.
    pub list: Vec<Form>,
    /// Numbers of forms by operation x type.
    pub by_key: Vec<Vec<usize>>,
    /// Numbers of forms by operation.
    pub by_op: Vec<Vec<usize>>,
    /// The spellings that are left out, by reason.
    pub left_out: BTreeMap<String, Vec<String>>,
}

/// Instructions that are tested at once.
const GROUP: usize = 100;

impl Forms {
    /// Makes the list for an architecture.
    pub fn of(arch: &'static str) -> Self {
        Self::among(arch, &|_| true)
    }

    /// Like [`Forms::of`], for the operations that `wanted` accepts.
    pub fn among(arch: &'static str, wanted: &dyn Fn(&str) -> bool) -> Self {
        let mut forms =
            Self { arch, list: Vec::new(), by_key: Vec::new(), by_op: Vec::new(), left_out: BTreeMap::new() };
        let mut candidates = Vec::new();
        for form in FormId::all().filter(|form| wanted(form.op().name())) {
            let name = form.op().name();
            let outside = OUTSIDE.iter().find(|(op, _)| match op.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => name == *op,
            });
            for example in examples(form) {
                let mods = &example.shape.mods;
                let modifier = OUTSIDE_MODS.iter().find(|(m, _)| mods.contains(m));
                let vector = matches!(name, "atom" | "red")
                    && [Mod::V2, Mod::V4, Mod::V8].iter().any(|m| mods.contains(m))
                    && !mods.contains(&Mod::Global);
                let vector = vector.then_some("vectors are updated in global memory only; addresses here are any");
                match outside.map(|row| row.1).or(modifier.map(|row| row.1)).or(vector) {
                    Some(why) => forms.leave_out(why, &example.shape.dotted),
                    None => candidates.push(Form::new(example)),
                }
            }
        }
        for group in candidates.chunks(GROUP) {
            forms.ask(group.to_vec());
        }
        forms.index();
        forms
    }

    fn leave_out(&mut self, why: &str, dotted: &str) {
        self.left_out.entry(why.to_owned()).or_default().push(dotted.to_owned());
    }

    /// Adds the forms of a group without an error.
    fn ask(&mut self, mut group: Vec<Form>) {
        while !group.is_empty() {
            let mut rng = Rng::new(1, self.list.len() as u64);
            let mut insts: Vec<Inst> = Vec::new();
            let mut shapeless = Vec::new();
            for (n, form) in group.iter().enumerate() {
                match instruct(&mut rng, n, form, Where::Everywhere) {
                    Some(inst) => insts.push(inst),
                    None => shapeless.push(n),
                }
            }
            if !shapeless.is_empty() {
                self.refuse(&mut group, shapeless.into_iter().map(|n| (n, "no register has its type".to_owned())));
                continue;
            }
            let body = insts.iter().cloned().map(Stmt::Inst).collect();
            let program = Program { seed: 1, blocks: 1, registers: 0, everything: false, body, functions: Vec::new() };
            let text = program.text(self.arch);
            let complaints = complaints(&program, &text, self.arch);
            if complaints.is_empty() {
                self.list.append(&mut group);
                return;
            }
            let lines = lines_of(&text, &insts);
            // Lines between two instructions are the setup of the second.
            let begin = text.lines().position(|l| l == BEGIN).unwrap_or(0);
            let known: BTreeMap<usize, String> = complaints
                .iter()
                .filter(|(line, _)| *line > begin && line <= lines.last().unwrap_or(&0))
                .map(|(line, why)| (lines.partition_point(|l| l < line), why.clone()))
                .collect();
            if !known.is_empty() {
                self.refuse(&mut group, known.into_iter());
            } else if group.len() == 1 {
                self.refuse(&mut group, std::iter::once((0, complaints[0].1.clone())));
            } else {
                let rest = group.split_off(group.len() / 2);
                self.ask_smaller(group);
                group = rest;
            }
        }
    }

    /// Tests one half of a group: the recursion depth is the logarithm of [`GROUP`].
    fn ask_smaller(&mut self, group: Vec<Form>) {
        self.ask(group);
    }

    fn refuse(&mut self, group: &mut Vec<Form>, which: impl Iterator<Item = (usize, String)>) {
        let which: BTreeMap<usize, String> = which.collect();
        for (n, why) in &which {
            let dotted = group[*n].example.shape.dotted.clone();
            self.leave_out(why, &dotted);
        }
        let mut n = 0;
        group.retain(|_| {
            n += 1;
            !which.contains_key(&(n - 1))
        });
    }

    fn index(&mut self) {
        let (mut by_key, mut by_op) = (BTreeMap::<&str, Vec<usize>>::new(), BTreeMap::<&str, Vec<usize>>::new());
        for (n, form) in self.list.iter().enumerate() {
            by_key.entry(&form.key).or_default().push(n);
            by_op.entry(form.op()).or_default().push(n);
        }
        let (by_key, by_op) = (by_key.into_values().collect(), by_op.into_values().collect());
        (self.by_key, self.by_op) = (by_key, by_op);
    }

    /// All operation x type pairs.
    pub fn keys(&self) -> BTreeSet<&str> {
        self.list.iter().map(|form| form.key.as_str()).collect()
    }
}

/// The lines of instructions in a text, from 1.
fn lines_of(text: &str, insts: &[Inst]) -> Vec<usize> {
    let mut wanted = insts.iter().map(Inst::text).peekable();
    let mut found = Vec::new();
    for (n, line) in text.lines().enumerate() {
        if wanted.peek().is_some_and(|w| line.trim_start() == w) {
            found.push(n + 1);
            wanted.next();
        }
    }
    found
}

/// The errors of compiler and interpreter for a program: line, 0 if unknown, and message.
fn complaints(program: &Program, text: &str, arch: &'static str) -> Vec<(usize, String)> {
    if let Err(errors) = compile(text, arch, Level::O0, 1, None) {
        let why = |class, message: String| match class {
            Class::Input => "PTX does not have it on this architecture".to_owned(),
            Class::Unsupported => format!("compiler: {}", message.split(':').next().unwrap_or_default()),
            _ => format!("compiler: {message}"),
        };
        return errors.into_iter().map(|e| (e.line, why(e.class, e.message))).collect();
    }
    match interpret(program, text) {
        Ok(_) => Vec::new(),
        Err(failure) => {
            let message = format!("{failure:#}");
            let line = |text: &str| text.split("line ").nth(1)?.split(':').next()?.parse::<usize>().ok();
            let listed: Vec<(usize, String)> = message
                .lines()
                .filter_map(|l| {
                    Some((line(l)?, format!("interpreter: {}", l.rsplit('(').next()?.trim_end_matches(')'))))
                })
                .collect();
            if listed.is_empty() { vec![(0, format!("interpreter: {message}"))] } else { listed }
        }
    }
}
