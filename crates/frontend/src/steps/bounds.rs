//! Launch bounds, clusters and constant parameters for a library that reads them only where older
//! front ends put them.
//!
//! Problem: front ends of LLVM 21 and newer write these properties of kernels as attributes; older
//! libraries read annotations, and ignore such attributes (User Guide for NVPTX, Function and
//! Parameter Attributes). Strategy: for such a library attributes are copied to annotations. What it
//! can express in neither way is refused by name: the kernel would compute something else, or fail
//! to launch.

use super::StepError;
use crate::llvm::{Module, Value};

/// The named metadata.
const ANNOTATIONS: &str = "nvvm.annotations";

/// A property of a kernel.
struct Bound {
    /// The attribute.
    attribute: &'static str,
    /// The first version of LLVM that reads it.
    reads: u32,
    /// The annotations for its numbers.
    annotations: &'static [&'static str],
    /// The first version of LLVM that reads these.
    annotated: u32,
}

const fn bound(attribute: &'static str, reads: u32, annotations: &'static [&'static str], annotated: u32) -> Bound {
    Bound { attribute, reads, annotations, annotated }
}

/// Every version that is used reads the annotation.
const ALWAYS: u32 = 0;
/// No version reads an annotation of it.
const NEVER: u32 = u32::MAX;

const BOUNDS: &[Bound] = &[
    bound("nvvm.maxntid", 21, &["maxntidx", "maxntidy", "maxntidz"], ALWAYS),
    bound("nvvm.reqntid", 21, &["reqntidx", "reqntidy", "reqntidz"], ALWAYS),
    bound("nvvm.minctasm", 21, &["minctasm"], ALWAYS),
    bound("nvvm.maxnreg", 21, &["maxnreg"], ALWAYS),
    bound("nvvm.maxclusterrank", 21, &["maxclusterrank"], ALWAYS),
    bound("nvvm.cluster_dim", 21, &["cluster_dim_x", "cluster_dim_y", "cluster_dim_z"], 20),
    bound("nvvm.blocksareclusters", 22, &[], NEVER),
];

/// The attribute of a parameter of which threads read the one copy, the first version that reads it,
/// and the annotation, whose numbers are those of parameters, from 1.
const CONSTANT: (&str, u32, &str) = ("nvvm.grid_constant", 22, "grid_constant");
/// Another name for the annotation `maxclusterrank`, the first version that reads it.
const MAX_BLOCKS: (&str, u32) = ("cluster_max_blocks", 21);
/// The first architecture with clusters: LLVM ignores them for others.
const CLUSTERS: u32 = 90;

/// Makes annotations of attributes where a library of this version needs them.
///
/// # Errors
/// A kernel with a property that the library cannot express, for an architecture that has it.
pub(super) fn copy(module: &Module<'_>, version: u32, sm: u32) -> Result<(), StepError> {
    let annotated = module.metadata(ANNOTATIONS);
    for kernel in module.functions().filter(|f| !f.is_declaration() && f.has_kernel_convention()) {
        for bound in BOUNDS {
            if version < bound.annotated && version < bound.reads && sm >= CLUSTERS {
                refuse(kernel, bound, &annotated)?;
            }
            let Some(text) = kernel.attribute(bound.attribute).filter(|_| version < bound.reads) else { continue };
            let numbers = text.split(',').map_while(|number| number.trim().parse().ok());
            for (annotation, number) in bound.annotations.iter().zip(numbers) {
                module.annotate(ANNOTATIONS, kernel, annotation, number);
            }
        }
        if version < CONSTANT.1 {
            let constant = |n: &u32| kernel.parameter_attribute(*n, CONSTANT.0).is_some();
            let numbers: Vec<u32> = (0..kernel.parameters()).filter(constant).map(|n| n + 1).collect();
            if !numbers.is_empty() {
                module.annotate_list(ANNOTATIONS, kernel, CONSTANT.2, &numbers);
            }
        }
        if let Some(most) = annotation(&annotated, kernel, MAX_BLOCKS.0).filter(|_| version < MAX_BLOCKS.1) {
            module.annotate(ANNOTATIONS, kernel, "maxclusterrank", u32::try_from(most).unwrap_or(u32::MAX));
        }
    }
    Ok(())
}

/// Operands of the nodes of named metadata.
type Nodes<'m> = [Vec<Option<Value<'m>>>];

/// The number that an annotation gives a kernel.
fn annotation(nodes: &Nodes<'_>, kernel: Value<'_>, key: &str) -> Option<u64> {
    let of_kernel = nodes.iter().filter(|node| node.first().copied().flatten() == Some(kernel));
    let mut pairs = of_kernel.flat_map(|node| node.get(1..).unwrap_or_default().chunks_exact(2));
    let is_key = |value: Option<Value<'_>>| value.and_then(Value::metadata_string).as_deref() == Some(key);
    pairs.find(|pair| is_key(pair[0])).and_then(|pair| pair[1]?.integer())
}

/// Refuses a kernel that has a property which the library can express in no way.
fn refuse(kernel: Value<'_>, bound: &Bound, annotated: &Nodes<'_>) -> Result<(), StepError> {
    let older = || bound.annotations.iter().any(|key| annotation(annotated, kernel, key).is_some());
    if kernel.attribute(bound.attribute).is_none() && !older() {
        return Ok(());
    }
    let (name, what, first) = (kernel.name(), bound.attribute, bound.annotated.min(bound.reads));
    Err(StepError::Refused(format!("this LLVM has no {what}, which the kernel {name} has; LLVM {first} and newer do")))
}
