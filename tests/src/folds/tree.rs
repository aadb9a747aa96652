//! A kernel and its text.
//!
//! `in` and `out` hold 32-bit words: [`WORDS`], and one for each thread. Registers are initialised:
//! `%r0` and `%r1` with words of the input, `%r2` with the number `n`, `%r3` with the thread
//! number, the others with constants. Only used registers are written into the text; deleting a
//! line never leaves anything undefined.

use std::fmt::Write as _;

use super::ops::Kind;

/// Words of input that a thread reads.
pub const WORDS: usize = 2;
/// The number of registers of a kind.
pub const REGISTERS: usize = 6;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Instructions with or without a guard.
    Line {
        /// `@%p0 ` or empty.
        guard: String,
        /// Instructions with `;` between them.
        text: String,
    },
    /// Statements for threads with (or without) a predicate.
    If {
        /// The condition to skip, `@%p0` or `@!%p0`.
        skip: String,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// A loop that runs at least once.
    Loop {
        /// Number of its counter.
        counter: usize,
        /// Initialises the counter: instructions whose last one writes it.
        trips: String,
        /// Whether it counts down to 0, or up from 0 to the value of `trips`.
        down: bool,
        /// The statements.
        body: Vec<Stmt>,
    },
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its seed.
    pub seed: u64,
    /// The statements.
    pub body: Vec<Stmt>,
    /// The 32-bit register that is stored.
    pub stored: usize,
}

/// The name of a register of a kind.
pub fn register(kind: Kind, number: usize) -> String {
    let letter = match kind {
        Kind::H => "h",
        Kind::D => "d",
        Kind::P => "p",
        _ => "r",
    };
    format!("%{letter}{number}")
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> String {
        format!("k{}", self.seed)
    }

    /// A module of kernels.
    pub fn module(kernels: &[Self], arch: &str) -> String {
        let head = format!(".version 8.0\n.target {arch}\n.address_size 64\n");
        head + &kernels.iter().map(Self::text).collect::<String>()
    }

    /// The text of the kernel.
    pub fn text(&self) -> String {
        let mut body = String::new();
        let mut labels = 0;
        print(&self.body, &mut labels, &mut body);
        let stored = register(Kind::R, self.stored);
        _ = writeln!(body, "    st.global.u32 [%o], {stored};");
        let uses = |name: &str| {
            body.match_indices(name).any(|(at, _)| !body[at + name.len()..].starts_with(|c: char| c.is_ascii_digit()))
        };
        let mut begin = String::new();
        let mut set = |name: &str, text: &str| {
            if uses(name) {
                _ = writeln!(begin, "    {text};");
            }
        };
        set("%r0", "ld.global.u32 %r0, [%i]");
        set("%r1", "ld.global.u32 %r1, [%i+4]");
        set("%r2", "ld.param.u32 %r2, [n]");
        set("%r3", "mov.u32 %r3, %tid.x");
        set("%r4", "mov.u32 %r4, 0");
        set("%r5", "mov.u32 %r5, 0x7fffffff");
        for n in 0..REGISTERS {
            set(&register(Kind::H, n), &format!("mov.u16 %h{n}, {}", [0, 1, 0x7fff, 0x8000, 0xffff, 255][n]));
            set(
                &register(Kind::D, n),
                &format!("mov.u64 %d{n}, {}", ["0", "1", "0x80000000", "0xffffffff", "7", "32"][n]),
            );
            set(&register(Kind::P, n), &format!("setp.{}.u32 %p{n}, 1, 2", if n % 2 == 0 { "lt" } else { "gt" }));
        }
        let name = self.name();
        format!(
            ".entry {name}(.param .u64 in, .param .u64 out, .param .u32 n)\n{{\n    .reg .pred %p<8>, %q<8>;\n    .reg .b16 %h<8>;\n    \
             .reg .b32 %r<8>, %c<16>, %t;\n    .reg .b64 %d<8>, %i, %o;\n    ld.param.u64 %i, [in];\n    ld.param.u64 %o, [out];\n    \
             mov.u32 %t, %tid.x;\n    mad.wide.u32 %i, %t, {}, %i;\n    mad.wide.u32 %o, %t, 4, %o;\n{begin}{body}    ret;\n}}\n",
            4 * WORDS
        )
    }

    /// The number of statements that can be deleted, and of loops and conditions that can be
    /// replaced by their bodies.
    pub fn parts(&self) -> usize {
        fn count(body: &[Stmt]) -> usize {
            body.iter()
                .map(|s| match s {
                    Stmt::Line { .. } => 2,
                    Stmt::If { body, .. } | Stmt::Loop { body, .. } => 2 + count(body),
                })
                .sum()
        }
        count(&self.body)
    }

    /// The kernel without part number `n`.
    pub fn without(&self, n: usize) -> Self {
        let mut smaller = self.clone();
        let mut left = n;
        smaller.body = reduce(&self.body, &mut left);
        smaller
    }
}

fn reduce(body: &[Stmt], left: &mut usize) -> Vec<Stmt> {
    let mut reached = || {
        let here = *left == 0;
        *left = left.wrapping_sub(1);
        here
    };
    let mut out = Vec::new();
    for statement in body {
        let (gone, open) = (reached(), reached());
        if gone {
            continue;
        }
        match statement {
            Stmt::Line { text, .. } if open => out.push(Stmt::Line { guard: String::new(), text: text.clone() }),
            Stmt::If { body, .. } | Stmt::Loop { body, .. } if open => out.extend(body.iter().cloned()),
            other => out.push(other.clone()),
        }
    }
    // The parts inside are numbered after all parts of this level.
    for statement in &mut out {
        if let Stmt::If { body, .. } | Stmt::Loop { body, .. } = statement
            && *left < usize::MAX / 2
        {
            *body = reduce(body, left);
        }
    }
    out
}

fn print(body: &[Stmt], labels: &mut usize, out: &mut String) {
    for statement in body {
        match statement {
            Stmt::Line { guard, text } => {
                for one in text.split("; ") {
                    _ = writeln!(out, "    {guard}{one};");
                }
            }
            Stmt::If { skip, body } => {
                let label = *labels;
                *labels += 1;
                _ = writeln!(out, "    {skip} bra L{label};");
                print(body, labels, out);
                _ = writeln!(out, "L{label}:");
            }
            Stmt::Loop { counter, trips, down, body } => {
                let label = *labels;
                *labels += 1;
                let c = format!("%c{counter}");
                for one in trips.split("; ") {
                    _ = writeln!(out, "    {one};");
                }
                let up = format!("%c{}", counter + 8);
                if !down {
                    _ = writeln!(out, "    mov.u32 {up}, 0;");
                }
                _ = writeln!(out, "L{label}:");
                print(body, labels, out);
                _ = match down {
                    true => writeln!(out, "    sub.u32 {c}, {c}, 1;\n    setp.ne.u32 %q{counter}, {c}, 0;"),
                    false => writeln!(out, "    add.u32 {up}, {up}, 1;\n    setp.lt.u32 %q{counter}, {up}, {c};"),
                };
                _ = writeln!(out, "    @%q{counter} bra L{label};");
            }
        }
    }
}
