//! Counts what was generated: forms, operation x type, shapes of control flow.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::forms::Forms;
use super::tree::{Leave, Program, SHARED_ROUNDS, Stmt};

/// Counts over many kernels.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Kernels.
    pub kernels: usize,
    /// Instructions by operation x type, such as `add.s32`.
    pub keys: BTreeMap<String, usize>,
    /// Instructions by full spelling.
    pub spellings: BTreeMap<String, usize>,
    /// Shapes of control flow by name.
    pub shapes: BTreeMap<String, usize>,
}

impl Tally {
    /// Counts a kernel.
    pub fn add(&mut self, program: &Program, forms: &Forms) {
        self.kernels += 1;
        for stmt in program.statements() {
            if let Stmt::Inst(inst) = stmt {
                let form = &forms.list[inst.form];
                *self.keys.entry(form.key.clone()).or_default() += 1;
                *self.spellings.entry(inst.dotted.clone()).or_default() += 1;
            }
            if let Some(shape) = shape(stmt) {
                *self.shapes.entry(shape.to_owned()).or_default() += 1;
            }
        }
        if program.registers > 0 {
            *self.shapes.entry("bounded registers".to_owned()).or_default() += 1;
        }
    }
}

/// The name of a statement's shape of control flow.
fn shape(stmt: &Stmt) -> Option<&'static str> {
    Some(match stmt {
        Stmt::Inst(inst) if !inst.guard.is_empty() => "guarded instruction",
        Stmt::Inst(_) => return None,
        Stmt::If { guard, other, .. } => match (!guard.is_empty(), other.is_empty()) {
            (true, true) => "if",
            (true, false) => "if-else",
            (false, true) => "uniform if",
            (false, false) => "uniform if-else",
        },
        Stmt::Loop { rounds, bottom, body, .. } => {
            let nested = body.iter().any(|s| matches!(s, Stmt::Loop { .. }));
            match (rounds.starts_with('%') && rounds != SHARED_ROUNDS, nested, *bottom) {
                _ if rounds == SHARED_ROUNDS => "loop with shared rounds",
                (true, true, _) => "divergent nested loop",
                (true, false, true) => "divergent do-while loop",
                (true, false, false) => "divergent loop",
                (false, true, _) => "nested loop",
                (false, false, true) => "do-while loop",
                (false, false, false) => "loop",
            }
        }
        Stmt::Leave { leave: Leave::Break, .. } => "break",
        Stmt::Leave { leave: Leave::Continue, .. } => "continue",
        Stmt::Exit { .. } => "early exit",
        Stmt::Switch { .. } => "switch",
        Stmt::Pattern { shape, .. } => shape,
        Stmt::Exchange { .. } => "exchange over barriers",
        Stmt::Call { .. } => "call",
    })
}
