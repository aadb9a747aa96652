//! The tree of a random kernel and its text.
//!
//! A statement can be removed, and a block replaced by its body, without making others invalid:
//! registers are initialised in the prologue ([`frame`]), labels belong to their statement.

use std::fmt::Write as _;

use super::frame::{self, Named, line};

/// Threads of a block: two warps.
pub const THREADS: usize = 64;
/// Bytes of a thread's row of inputs, and of its row of outputs: registers of 8 bytes, then shared,
/// then local memory.
pub const ROW: usize = 512;
/// Offset of the thread's slot in shared memory in its rows.
pub const SHARED_AT: usize = 384;
/// Offset of its local memory in its rows.
pub const LOCAL_AT: usize = 448;
/// Bytes of a thread's slot in each of global, shared and local memory, and of constants and the
/// parameter of bytes.
pub const PLACE: usize = 64;
/// Bytes of the cells on which all threads do atomics.
pub const CELLS: usize = 256;

/// Numbers of labels are below this; a loop has two counters.
pub const MOST_LABELS: usize = 32;

/// Iterations of a loop given by three bits of a parameter, the same for all lanes.
pub const SHARED_ROUNDS: &str = "%flags";

/// The line between the prologue and the statements.
pub const BEGIN: &str = "// statements";

/// An instruction with the lines it needs before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// Lines before it, each a whole instruction.
    pub setup: Vec<String>,
    /// Guard, such as `@!%p1`, or empty.
    pub guard: String,
    /// The dotted word.
    pub dotted: String,
    /// The operands as text.
    pub operands: Vec<String>,
    /// A line after it that fixes results that PTX leaves open, or empty.
    pub after: String,
    /// Number of its form.
    pub form: usize,
}

/// A way out of a loop body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// To the end of the loop.
    Break,
    /// To the next iteration.
    Continue,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// An instruction.
    Inst(Inst),
    /// Two branches, the second possibly empty.
    If {
        /// Number of its labels.
        id: usize,
        /// Guard of the jump to the second branch, such as `@%p1`; empty for a bit of a parameter,
        /// the same for all lanes.
        guard: String,
        /// First branch.
        then: Vec<Stmt>,
        /// Second branch.
        other: Vec<Stmt>,
    },
    /// A counted loop.
    Loop {
        /// Number of its labels and of its counter.
        id: usize,
        /// Iterations: a literal, [`SHARED_ROUNDS`], or a register whose two low bits give the
        /// number for each lane.
        rounds: String,
        /// Whether the condition is tested after the body.
        bottom: bool,
        /// The body.
        body: Vec<Stmt>,
    },
    /// A jump out of an enclosing loop.
    Leave {
        /// Its guard.
        guard: String,
        /// The loop.
        id: usize,
        /// The destination.
        leave: Leave,
    },
    /// The end of the kernel for some lanes, by `exit`, `ret` or a jump to the end.
    Exit {
        /// Its guard.
        guard: String,
        /// `exit`, `ret` or a jump to the end.
        word: &'static str,
    },
    /// A jump through a table.
    Switch {
        /// Number of its labels.
        id: usize,
        /// Register whose low bits select the branch.
        index: String,
        /// The branches: two, four or eight.
        arms: Vec<Vec<Stmt>>,
    },
    /// Lines with a relation that an optimiser looks for (`patterns`).
    Pattern {
        /// Its name.
        shape: &'static str,
        /// Its lines, including labels.
        lines: Vec<String>,
    },
    /// Values exchanged through shared memory between two barriers.
    Exchange {
        /// The register that is sent and received, 32 bits.
        register: String,
        /// The sender: the number of this thread with these bits flipped.
        flip: usize,
    },
    /// A call of a function of the module.
    Call {
        /// Number of the function.
        function: usize,
        /// Number of its parameter variables in the caller.
        id: usize,
        /// The 32-bit argument.
        narrow: String,
        /// The 64-bit argument.
        wide: String,
        /// The register that gets the result, 32 bits.
        result: String,
    },
}

/// A kernel with its functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Seed of generation and of the data.
    pub seed: u64,
    /// Blocks of the grid.
    pub blocks: usize,
    /// Register limit of a thread, for spilling; 0 for none.
    pub registers: usize,
    /// Whether all registers and slots are initialised and stored, not only those that statements
    /// use.
    pub everything: bool,
    /// The statements.
    pub body: Vec<Stmt>,
    /// Bodies of the functions that it calls: instructions on registers only.
    pub functions: Vec<Vec<Stmt>>,
}

impl Program {
    /// All statements, blocks before their contents.
    pub fn statements(&self) -> Vec<&Stmt> {
        let mut found = Vec::new();
        let mut work: Vec<&Stmt> = self.body.iter().chain(self.functions.iter().flatten()).rev().collect();
        while let Some(stmt) = work.pop() {
            found.push(stmt);
            match stmt {
                Stmt::If { then, other, .. } => work.extend(other.iter().rev().chain(then.iter().rev())),
                Stmt::Loop { body, .. } => work.extend(body.iter().rev()),
                Stmt::Switch { arms, .. } => work.extend(arms.iter().flatten().rev()),
                _ => {}
            }
        }
        found
    }

    /// The module for an architecture.
    pub fn text(&self, arch: &str) -> String {
        let mut out = format!(".version 9.0\n.target {arch}\n.address_size 64\n\n");
        let bytes: Vec<String> = (0..PLACE).map(|i| (i * 37 % 256).to_string()).collect();
        line(&mut out, format_args!(".const .align 16 .b8 kc[{PLACE}] = {{{}}};", bytes.join(", ")));
        line(&mut out, format_args!(".shared .align 16 .b8 ks[{}];", THREADS * PLACE));
        for (n, body) in self.functions.iter().enumerate() {
            let mut text = String::new();
            render(&mut text, body);
            frame::function(&mut out, n, &text, &Named::of(&text, self.everything));
        }
        let mut body = String::new();
        render(&mut body, &self.body);
        let named = Named::of(&body, self.everything);
        let params = "    .param .u64 pin,\n    .param .u64 pout,\n    .param .u64 pscratch,\n    .param .u64 pcells,\n    .param .u32 pflags,\n";
        write!(out, "\n.visible .entry k(\n{params}    .param .align 16 .b8 pblob[{PLACE}]\n)\n").unwrap_or_default();
        line(&mut out, format_args!(".maxntid {THREADS}, 1, 1"));
        if self.registers > 0 {
            line(&mut out, format_args!(".maxnreg {}", self.registers));
        }
        out.push_str("{\n");
        line(&mut out, format_args!("    .local .align 16 .b8 kl[{PLACE}];"));
        frame::declare(&mut out);
        frame::prologue(&mut out, &named);
        line(&mut out, format_args!("{BEGIN}"));
        out.push_str(&body);
        frame::epilogue(&mut out, &named);
        out.push_str("}\n");
        out
    }
}

/// Prints statements. The recursion depth is the nesting depth of blocks, which the generator
/// bounds.
fn render(out: &mut String, body: &[Stmt]) {
    for stmt in body {
        match stmt {
            Stmt::Inst(inst) => {
                for setup in &inst.setup {
                    line(out, format_args!("    {setup}"));
                }
                line(out, format_args!("    {}", inst.text()));
                if !inst.after.is_empty() {
                    line(out, format_args!("    {}", inst.after));
                }
            }
            Stmt::If { id, guard, then, other } => {
                if guard.is_empty() {
                    line(out, format_args!("    and.b32 %tr0, %flags, {};", 1 << (id % 32)));
                    line(out, format_args!("    setp.ne.u32 %tp1, %tr0, 0;\n    @%tp1 bra ELSE{id};"));
                } else {
                    line(out, format_args!("    {guard} bra ELSE{id};"));
                }
                render(out, then);
                if !other.is_empty() {
                    line(out, format_args!("    bra JOIN{id};"));
                }
                line(out, format_args!("ELSE{id}:"));
                if !other.is_empty() {
                    render(out, other);
                    line(out, format_args!("JOIN{id}:"));
                }
            }
            Stmt::Loop { id, rounds, bottom, body } => {
                let (bound, own) = (format!("%k{}", id + MOST_LABELS), rounds.starts_with('%'));
                if rounds == SHARED_ROUNDS {
                    line(out, format_args!("    shr.u32 {bound}, {rounds}, {};", id % 29));
                    line(out, format_args!("    and.b32 {bound}, {bound}, 7;"));
                } else if own {
                    line(out, format_args!("    and.b32 {bound}, {rounds}, 3;"));
                }
                let rounds = if own { &bound } else { rounds };
                line(out, format_args!("    mov.u32 %k{id}, 0;\nHEAD{id}:"));
                if !bottom {
                    line(out, format_args!("    setp.ge.u32 %tp0, %k{id}, {rounds};\n    @%tp0 bra BREAK{id};"));
                }
                render(out, body);
                line(out, format_args!("NEXT{id}:\n    add.u32 %k{id}, %k{id}, 1;"));
                if *bottom {
                    line(out, format_args!("    setp.lt.u32 %tp0, %k{id}, {rounds};\n    @%tp0 bra HEAD{id};"));
                } else {
                    line(out, format_args!("    bra HEAD{id};"));
                }
                line(out, format_args!("BREAK{id}:"));
            }
            Stmt::Leave { guard, id, leave } => {
                let label = if *leave == Leave::Break { "BREAK" } else { "NEXT" };
                line(out, format_args!("    {guard} bra {label}{id};"));
            }
            Stmt::Exit { guard, word } => line(out, format_args!("    {guard} {word};")),
            Stmt::Switch { id, index, arms } => {
                let labels: Vec<String> = (0..arms.len()).map(|n| format!("ARM{id}_{n}")).collect();
                line(out, format_args!("    and.b32 %tr0, {index}, {};", arms.len() - 1));
                line(out, format_args!("TABLE{id}: .branchtargets {};", labels.join(", ")));
                line(out, format_args!("    brx.idx %tr0, TABLE{id};"));
                for (label, arm) in labels.iter().zip(arms) {
                    line(out, format_args!("{label}:"));
                    render(out, arm);
                    line(out, format_args!("    bra JOIN{id};"));
                }
                line(out, format_args!("JOIN{id}:"));
            }
            Stmt::Pattern { lines, .. } => lines.iter().for_each(|text| {
                let indent = if text.ends_with(':') { "" } else { "    " };
                line(out, format_args!("{indent}{text}"));
            }),
            Stmt::Exchange { register, flip } => {
                line(out, format_args!("    ld.shared.b32 %tr1, [%as];\n    bar.sync 0;"));
                line(out, format_args!("    st.shared.b32 [%as], {register};\n    bar.sync 0;"));
                line(out, format_args!("    xor.b32 %tr0, %thread, {flip};\n    mov.u32 %tr2, ks;"));
                line(out, format_args!("    mad.lo.u32 %tr0, %tr0, {PLACE}, %tr2;"));
                line(out, format_args!("    ld.shared.b32 {register}, [%tr0];\n    bar.sync 0;"));
                line(out, format_args!("    st.shared.b32 [%as], %tr1;"));
            }
            Stmt::Call { function, id, narrow, wide, result } => {
                line(out, format_args!("    {{\n    .param .b32 back{id};\n    .param .b32 small{id};"));
                line(out, format_args!("    .param .b64 large{id};\n    st.param.b32 [small{id}], {narrow};"));
                line(out, format_args!("    st.param.b64 [large{id}], {wide};"));
                line(out, format_args!("    call (back{id}), fn{function}, (small{id}, large{id});"));
                line(out, format_args!("    ld.param.b32 {result}, [back{id}];\n    }}"));
            }
        }
    }
}

impl Inst {
    /// The line of the instruction itself.
    pub fn text(&self) -> String {
        let space = if self.guard.is_empty() { "" } else { " " };
        let operands = self.operands.join(", ");
        let text = format!("{}{space}{} {operands};", self.guard, self.dotted);
        // `.unified` is written after the address.
        if self.dotted.contains(".unified") {
            return text.replacen(".unified", "", 1).replacen(']', "].unified", 1);
        }
        text.replace(" ;", ";")
    }
}
