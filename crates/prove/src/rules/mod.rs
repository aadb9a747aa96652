//! Algebraic rules as statements, proven at 8, 16, 32 and 64 bits for all values and constants.
//!
//! `fold.txt` states the rules of `raddle_opt::fold`, `facts.txt` those of the range facts; the head of
//! the first describes the notation. A comment `// rule: NAME` in the source stands before each result of a rule, and a test holds both lists
//! against each other: a rule lands with its statement.

mod read;

use std::time::Duration;

use crate::solver::{Answer, Solver, SolverError};
use crate::term::{Bank, Term};
use read::Scope;
pub use read::{Malformed, Statement, statements};

/// The statements of `raddle_opt::fold`.
pub const FOLD: &str = include_str!("fold.txt");

/// The statements of `raddle_opt::facts`.
pub const FACTS: &str = include_str!("facts.txt");

/// All statements, with the name of what they are about.
pub const ALL: [(&str, &str); 2] = [("fold", FOLD), ("facts", FACTS)];

/// The widths at which rules are proven.
pub const WIDTHS: [u16; 4] = [8, 16, 32, 64];

/// What is known of a statement at a width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It holds for all values.
    Holds,
    /// It does not for these; the number in the place of `k`, if there is one, comes first.
    Fails(Vec<(String, String)>),
    /// The solver has not answered in time.
    Timeout(Duration),
}

/// Proves a statement at a width.
///
/// # Errors
/// A statement that cannot be read, a solver that cannot be asked.
pub fn prove(statement: &Statement, w: u16, solver: &mut Solver) -> Result<Proof, RuleError> {
    let mut late = None;
    for k in statement.numbers(w) {
        let mut bank = Bank::default();
        let mut scope = Scope { bank: &mut bank, w, k };
        let (conditions, left, right) = statement.terms(&mut scope)?;
        match holds(&mut bank, conditions, left, right, solver)? {
            Answer::Never => {}
            Answer::Unknown => late = Some(Proof::Timeout(solver.limit())),
            Answer::For(mut values) => {
                if let Some(k) = k {
                    values.insert(0, ("k".to_owned(), k.to_string()));
                }
                return Ok(Proof::Fails(values));
            }
        }
    }
    Ok(late.unwrap_or(Proof::Holds))
}

fn holds(
    bank: &mut Bank,
    conditions: Vec<Term>,
    left: Term,
    right: Term,
    solver: &mut Solver,
) -> Result<Answer, SolverError> {
    if left == right {
        return Ok(Answer::Never);
    }
    let equal = bank.equal(left, right);
    let mut all = conditions;
    all.push(bank.not(equal));
    solver.ask(bank, &all)
}

/// Why a statement was not judged.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// It cannot be read.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The solver cannot be asked.
    #[error(transparent)]
    Solver(#[from] SolverError),
}
