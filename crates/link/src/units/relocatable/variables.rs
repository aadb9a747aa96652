//! Lays out an object's variables: by alignment, then by first appearance.

use std::collections::BTreeMap;

use raddle_cubin::elf::align_up;
use raddle_cubin::unit::{DataObject, Definition, Linkage, Space};

use super::super::image::Data;
use super::super::resolve::{Body, DefId, Program};
use crate::{BANK_BYTES, LinkError};

/// The place of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum VariablePlace {
    GlobalInit,
    Global,
    Const,
    /// The linker places it separately for each kernel that refers to it.
    Shared,
    /// The linker places it.
    Common,
}

/// The places of the variables, and their sections.
#[derive(Default)]
pub(super) struct Variables {
    pub places: BTreeMap<DefId, (VariablePlace, u64)>,
    pub data: Data,
}

/// Places all variables.
///
/// # Errors
/// [`LinkError::TooMuch`] for more constant memory than a bank has.
pub(super) fn place(program: &Program<'_>) -> Result<Variables, LinkError> {
    let mut lists: BTreeMap<VariablePlace, Vec<(DefId, &DataObject)>> = BTreeMap::new();
    for def in program.ids() {
        let Body::Data(d) = program.def(def).body else { continue };
        let kept = match (d.space, &d.definition) {
            (_, Definition::Extern(_)) => continue,
            (Space::Shared, _) => VariablePlace::Shared,
            (Space::Const, _) => VariablePlace::Const,
            (Space::Global, Definition::Zero(_)) if d.linkage == Linkage::Common => VariablePlace::Common,
            (Space::Global, Definition::Zero(_)) => VariablePlace::Global,
            (Space::Global, Definition::Bytes(_)) => VariablePlace::GlobalInit,
        };
        lists.entry(kept).or_default().push((def, d));
    }
    let mut out = Variables::default();
    for (kept, mut list) in lists {
        list.sort_by_key(|(_, d)| std::cmp::Reverse(d.align));
        let most = list.first().map_or(1, |(_, d)| u64::from(d.align.max(1)));
        let (mut end, mut bytes) = (0u64, Vec::new());
        for (def, d) in list {
            let align = u64::from(d.align.max(1));
            if kept == VariablePlace::Common {
                out.places.insert(def, (kept, align));
                continue;
            }
            let at = align_up(end, align).unwrap_or(u64::MAX);
            end = at.saturating_add(d.definition.size());
            if kept == VariablePlace::Const && end > BANK_BYTES {
                let (user, what) = ("module".to_owned(), "constant memory");
                return Err(LinkError::TooMuch { user, what, size: end, limit: BANK_BYTES });
            }
            out.places.insert(def, (kept, at));
            if !matches!(kept, VariablePlace::Global | VariablePlace::Shared) {
                bytes.resize(end as usize, 0);
                if let Definition::Bytes(b) = &d.definition {
                    bytes[at as usize..end as usize].copy_from_slice(b);
                }
            }
        }
        match kept {
            VariablePlace::GlobalInit => out.data.global_init = (bytes, most),
            VariablePlace::Const => out.data.constant = (bytes, most),
            VariablePlace::Global => out.data.global = (end, most),
            VariablePlace::Shared => out.data.shared = (end, most),
            VariablePlace::Common => {}
        }
    }
    Ok(out)
}
