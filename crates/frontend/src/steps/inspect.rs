//! Reads what an input is for.

use super::StepError;
use super::simplify::check_target;
use crate::llvm::{Context, Llvm};
use std::collections::BTreeSet;

/// Returns the architecture that the functions of an input name (attribute `target-cpu`), if they
/// name one.
///
/// # Errors
/// Why the input cannot be used, or that its functions name several architectures.
pub fn inspect(llvm: &'static Llvm, name: &str, bytes: &[u8]) -> Result<Option<String>, StepError> {
    let cx = Context::new(llvm);
    let module = cx.parse(name, bytes)?;
    check_target(&module)?;
    let defined = module.functions().filter(|f| !f.is_declaration());
    let named: BTreeSet<String> = defined.filter_map(|f| f.attribute("target-cpu")).collect();
    let mut named = named.into_iter();
    match (named.next(), named.next()) {
        (Some(one), Some(other)) => Err(StepError::Refused(format!("its functions are for {one} and for {other}"))),
        (one, _) => Ok(one),
    }
}
