//! Launch bounds for a library that reads them only where older front ends put them.
//!
//! Problem: front ends of LLVM 21 and newer write the launch bounds of kernels as attributes of
//! functions; older libraries read annotations, and ignore those attributes (User Guide for NVPTX,
//! Function Attributes). Strategy: for such a library attributes are copied to annotations.

use crate::llvm::Module;

/// The first version that reads the attributes.
const READS: u32 = 21;

/// Attributes, and the annotations for their numbers.
const BOUNDS: &[(&str, &[&str])] = &[
    ("nvvm.maxntid", &["maxntidx", "maxntidy", "maxntidz"]),
    ("nvvm.reqntid", &["reqntidx", "reqntidy", "reqntidz"]),
    ("nvvm.minctasm", &["minctasm"]),
    ("nvvm.maxnreg", &["maxnreg"]),
    ("nvvm.maxclusterrank", &["maxclusterrank"]),
];

/// Makes annotations of attributes where a library of this version needs them.
pub(super) fn copy(module: &Module<'_>, version: u32) {
    if version >= READS {
        return;
    }
    for function in module.functions().filter(|f| !f.is_declaration()) {
        for (attribute, annotations) in BOUNDS {
            let Some(text) = function.attribute(attribute) else { continue };
            let numbers = text.split(',').map_while(|number| number.trim().parse().ok());
            for (annotation, number) in annotations.iter().zip(numbers) {
                module.annotate("nvvm.annotations", function, annotation, number);
            }
        }
    }
}
