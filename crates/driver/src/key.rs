//! What a unit is made from, as text and as a key (decision D9).
//!
//! A unit's text is the canonical PTX of a kernel with everything it reaches ([`raddle_ptx::extract`]). Its key is the
//! BLAKE3 hash of that text, of the options that change bytes, of the target, and of the compiler itself: equal keys mean
//! equal objects, whatever stands beside the kernel, in which file, on which machine.
//!
//! **Invariant.** The object of a unit's text, compiled alone, is the object that the whole module gives
//! (`tests/units.rs`); but for line tables, which name lines of the module's text: with them the whole text counts.

use crate::plan::Module;
use raddle_diag::Diags;
use raddle_ir::CodegenOptions;
use raddle_ptx::FuncId;
use raddle_target::Target;
use std::fmt;
use std::sync::OnceLock;

/// The key of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 32]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The key of a kernel of a module.
pub fn of(module: &Module, func: FuncId, options: &CodegenOptions, target: &Target) -> Key {
    let key = of_text(&text(module, func), options, target);
    if !options.lineinfo {
        return key;
    }
    // Line tables name lines of the whole text: it is a part of what the object is made from.
    let mut hasher = blake3::Hasher::new();
    hasher.update(&key.0).update(module.text.as_bytes());
    Key(*hasher.finalize().as_bytes())
}

/// The text of a unit. Errors of the bodies have been found elsewhere.
pub fn text(module: &Module, func: FuncId) -> String {
    raddle_ptx::extract(&module.text, module.file, &module.outline, func, &mut Diags::new())
}

/// The key of a unit's text.
pub fn of_text(text: &str, options: &CodegenOptions, target: &Target) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in ["raddle unit 1", build_id(), target.name, &options.canonical(), text] {
        // With its length, so that no two lists of parts are the same bytes.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Key(*hasher.finalize().as_bytes())
}

/// Names this build of the compiler: the hash of the program that runs. Without access to that, version and time of
/// start, which no other run has: nothing is taken for equal that may not be.
pub fn build_id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| {
        let program = std::env::current_exe().and_then(std::fs::read);
        program.map_or_else(
            |_| format!("{} {:?}", env!("CARGO_PKG_VERSION"), std::time::SystemTime::now()),
            |bytes| blake3::hash(&bytes).to_hex().to_string(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::OptLevel;

    #[test]
    fn keys_differ_in_every_part_and_only_there() {
        let options = CodegenOptions::default();
        let (a, b) = (Target::by_name("sm_90").unwrap(), Target::by_name("sm_90a").unwrap());
        let key = of_text("x", &options, a);
        assert_eq!(key, of_text("x", &options.clone(), a));
        let other = CodegenOptions { opt: OptLevel::O0, ..options.clone() };
        for different in [of_text("y", &options, a), of_text("x", &other, a), of_text("x", &options, b)] {
            assert_ne!(key, different);
        }
        assert_eq!(key.to_string().len(), 64);
        assert_eq!(build_id().len(), 64);
    }
}
