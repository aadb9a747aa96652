//! A program as a tree. Every statement may be deleted: declarations are not statements, and all
//! variables are initialised.

use super::cross::Cross;
use super::links::Links;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// One line.
    Line(String),
    /// A head, statements, and an end.
    Block {
        /// `for (...) {`.
        head: String,
        /// The statements.
        body: Vec<Stmt>,
        /// `}`.
        tail: &'static str,
    },
    /// A condition with two arms.
    Split {
        /// The condition.
        condition: String,
        /// The first arm.
        then: Vec<Stmt>,
        /// The second arm.
        other: Vec<Stmt>,
    },
}

/// A function that is not a phase.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Result type and parameters, with `@` for the name.
    pub signature: &'static str,
    /// Whether it may be inlined.
    pub inline: bool,
    /// Its body.
    pub body: Vec<Stmt>,
    /// The expression that it returns.
    pub result: String,
}

/// The statements of every thread, and the exchanges after them.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The statements.
    pub body: Vec<Stmt>,
    /// The exchange.
    pub cross: Vec<Cross>,
    /// The number of repetitions of both.
    pub rounds: u32,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its seed, from which its name is derived.
    pub seed: u64,
    /// Functions; each calls only earlier ones and itself.
    pub functions: Vec<Function>,
    /// Names of the four functions in its table.
    pub table: [usize; 4],
    /// The phases.
    pub phases: Vec<Phase>,
    /// What only a program of several translation units has.
    pub links: Option<Links>,
}

impl Program {
    /// Name of its kernel and prefix of its functions.
    pub fn name(&self) -> String {
        format!("p{}", self.seed)
    }

    /// The number of parts that can be deleted or opened: statements, loops, conditions, exchanges,
    /// rounds, results.
    pub fn parts(&self) -> usize {
        let mut all = self.clone();
        let mut count = usize::MAX;
        all.each(&mut count);
        usize::MAX - count
    }

    /// The program without part number `n`.
    pub fn without(&self, n: usize) -> Self {
        let mut smaller = self.clone();
        let mut left = n;
        smaller.each(&mut left);
        smaller
    }

    /// Counts down over all parts; deletes the one at 0.
    fn each(&mut self, left: &mut usize) {
        for phase in &mut self.phases {
            statements(&mut phase.body, left);
            phase.cross.retain(|_| !reached(left));
            if phase.rounds > 1 && reached(left) {
                phase.rounds = 1;
            }
        }
        for function in &mut self.functions {
            statements(&mut function.body, left);
            if function.result != "x" && reached(left) {
                "x".clone_into(&mut function.result);
            }
        }
        if self.links.is_some() && reached(left) {
            self.links = None;
        }
    }
}

fn reached(left: &mut usize) -> bool {
    let here = *left == 0;
    *left = left.wrapping_sub(1);
    here
}

/// Counts a statement as deletable, and a loop or a condition also as replaceable by its contents.
fn statements(body: &mut Vec<Stmt>, left: &mut usize) {
    for mut statement in std::mem::take(body) {
        if reached(left) {
            continue;
        }
        match &mut statement {
            Stmt::Line(_) => {}
            Stmt::Block { head, body: inner, .. } => {
                statements(inner, left);
                if head.starts_with("for") && reached(left) {
                    body.append(inner);
                    continue;
                }
            }
            Stmt::Split { then, other, .. } => {
                statements(then, left);
                statements(other, left);
                if reached(left) {
                    body.append(then);
                    body.append(other);
                    continue;
                }
            }
        }
        body.push(statement);
    }
}

/// The statements as text, indented.
pub fn print(body: &[Stmt], depth: usize, out: &mut String) {
    let pad = "    ".repeat(depth);
    for statement in body {
        match statement {
            Stmt::Line(line) => *out += &format!("{pad}{line}\n"),
            Stmt::Block { head, body, tail } => {
                *out += &format!("{pad}{head}\n");
                print(body, depth + 1, out);
                *out += &format!("{pad}{tail}\n");
            }
            Stmt::Split { condition, then, other } => {
                *out += &format!("{pad}if ({condition}) {{\n");
                print(then, depth + 1, out);
                if !other.is_empty() {
                    *out += &format!("{pad}}} else {{\n");
                    print(other, depth + 1, out);
                }
                *out += &format!("{pad}}}\n");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let line = |text: &str| Stmt::Line(text.to_owned());
        let split = Stmt::Split { condition: "c".into(), then: vec![line("a;")], other: vec![line("b;")] };
        let body = vec![line("first;"), Stmt::Block { head: "for {".into(), body: vec![split], tail: "}" }];
        let phase = Phase { body, cross: vec![Cross::Ballot], rounds: 2 };
        Program { seed: 1, functions: Vec::new(), table: [0; 4], phases: vec![phase], links: None }
    }

    #[test]
    fn each_part_can_be_deleted() {
        let whole = program();
        // Two statements, the split and its two arms' lines, split and loop replaced by their
        // contents, the exchange, the rounds.
        assert_eq!(whole.parts(), 9);
        let of = |p: &Program| {
            let mut out = String::new();
            print(&p.phases[0].body, 0, &mut out);
            out
        };
        assert!(!of(&whole.without(0)).contains("first"));
        assert_eq!(of(&whole.without(1)), "first;\n");
        assert!(!of(&whole.without(3)).contains("a;") && of(&whole.without(3)).contains("b;"));
        assert!(!of(&whole.without(4)).contains("else"));
        assert_eq!(of(&whole.without(5)), "first;\nfor {\n    a;\n    b;\n}\n");
        assert_eq!(of(&whole.without(6)), "first;\nif (c) {\n    a;\n} else {\n    b;\n}\n");
        assert!(whole.without(7).phases[0].cross.is_empty());
        assert_eq!(whole.without(8).phases[0].rounds, 1);
    }
}
