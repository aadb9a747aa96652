//! Options of a link that concern the compilation of its inputs.

use crate::consensus::CarriedOptions;
use crate::options::IrOptions;
use crate::ptxas::Fallback;
use raddle_target::Target;
use std::path::PathBuf;

/// The options of the command line, which take precedence over those of inputs.
#[derive(Clone, Debug, Default)]
pub struct CommandLineOptions {
    /// The architecture.
    pub target: Option<&'static Target>,
    /// Options that inputs may carry as well.
    pub options: CarriedOptions,
    /// The assembler for kernels that cannot be compiled here.
    pub fallback: Option<Fallback>,
    /// The folder for kernels that failed, each as a separate module.
    pub reproduce: Option<PathBuf>,
    /// Options for LLVM IR.
    pub ir: IrOptions,
    /// Whether the output of the link is relocatable.
    pub relocatable: bool,
}
