//! Names by which the units of a module share variables that are private to the module.
//!
//! A private variable gets a unique name: its own, [`MARK`], and a tag of the module. The tag is a
//! hash of the names that the module exports and of the declarations of its variables. Two modules
//! of one program differ there, or they have duplicate definitions anyway. An edit of a body does
//! not change the tag, so that such an edit changes one unit.

use raddle_ptx::{Linkage, Outline};

/// Separates the name of a variable from the tag of its module. PTX allows `$` in names, but
/// producers do not generate this sequence.
pub const MARK: &str = "$private$";

/// The number of hexadecimal digits in a tag.
const DIGITS: usize = 12;

/// The tag of a module.
pub(super) fn tag(outline: &Outline, src: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for func in outline.funcs.values().filter(|func| func.body.is_some() && func.linkage != Linkage::Local) {
        add(&func.name);
    }
    for global in outline.globals.values() {
        add(&global.var.name);
        add(global.init.clone().and_then(|init| src.get(init)).unwrap_or(""));
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

/// The name in units of a private variable of the module with this tag.
pub(super) fn name(name: &str, tag: &str) -> String {
    format!("{name}{MARK}{tag}")
}

/// The name of the variable in its module; `None` for any other name.
pub fn original(name: &str) -> Option<&str> {
    let (original, tag) = name.rsplit_once(MARK)?;
    let is_tag = tag.len() == DIGITS && tag.bytes().all(|b| b.is_ascii_hexdigit());
    is_tag.then_some(original).filter(|original| !original.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        assert_eq!(original(&name("table", "0123456789ab")), Some("table"));
        for other in
            ["table", "table$private$", "table$private$xyz", "$private$0123456789ab", "t$private$0123456789abc"]
        {
            assert_eq!(original(other), None, "{other}");
        }
    }
}
