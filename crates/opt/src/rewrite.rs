//! Replacing values by others, in a whole function.

use raddle_entity::SecondaryMap;
use raddle_ir::{Function, Value};

/// What each value is replaced by; `None` where it stays. Chains are allowed, circles are not.
pub type Same = SecondaryMap<Value, Option<Value>>;

/// The end of a chain of replacements.
pub fn resolve(same: &Same, mut v: Value) -> Value {
    while let Some(w) = same[v] {
        v = w;
    }
    v
}

/// Replaces every use in the blocks of the layout.
pub fn substitute(f: &mut Function, same: &Same) {
    for &b in &f.layout {
        for &i in &f.blocks[b].insts {
            for v in &mut f.insts[i].args {
                *v = resolve(same, *v);
            }
        }
        if let Some(term) = &mut f.blocks[b].term {
            term.map_uses(|v| resolve(same, v));
        }
    }
}
