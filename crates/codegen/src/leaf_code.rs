//! The code of leaves ([`crate::leaf`]), from their compilation to its place behind the kernel.

use raddle_entity::EntityRef;
use raddle_ir::Stop;
use raddle_sass::row::File;

use crate::code::CodeBlock;
use crate::leaf::{Leaf, Lost, RETURN};
use crate::leaf_places::label;
use crate::mir::{MBlock, MFunction};

/// Sets what calls need to know of a leaf's code.
///
/// # Errors
/// [`Stop::Internal`] if the code writes other files than calls allow for.
pub(crate) fn describe(leaf: &mut Leaf, code: &[CodeBlock], registers: u16) -> Result<(), Stop> {
    let mut lost = Lost::default();
    for a in code.iter().flat_map(|b| &b.items).flat_map(|item| item.inst.accesses()).filter(|a| a.written) {
        for n in a.first..a.first.saturating_add(a.count) {
            match a.file {
                File::Gpr => lost.add(n),
                // The leaf preserves them.
                File::Pred => {}
                File::Ugpr | File::Upred | File::Barrier => {
                    let what = format!("a leaf writes {n} of {:?}", a.file);
                    return Err(Stop::Internal { pass: "leaf", what });
                }
            }
        }
    }
    // The caller writes the lower half of the return address.
    lost.add(RETURN);
    lost.add(RETURN + 1);
    (leaf.lost, leaf.blocks, leaf.registers) = (lost, code.len(), registers);
    Ok(())
}

/// Appends the code of the leaves to that of their function.
pub(crate) fn append(f: &MFunction, codes: &[Vec<CodeBlock>], blocks: &mut Vec<CodeBlock>) {
    for (n, code) in codes.iter().enumerate() {
        let first = label(f, n).index();
        let at = |b: MBlock| code.iter().position(|block| block.label == b);
        let named = |b: MBlock| at(b).map_or(b, |k| MBlock::new(first + k));
        for block in code {
            let mut block = CodeBlock { label: named(block.label), ..block.clone() };
            for item in &mut block.items {
                item.target = item.target.map(named);
            }
            blocks.push(block);
        }
    }
}
