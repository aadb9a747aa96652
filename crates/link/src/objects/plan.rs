//! The plan of an output before its symbols are numbered, for both kinds of output.

use raddle_cubin::model::Kind;

use super::banks::Banks;
use super::graph::{Graph, Usage};
use super::output_sections::Sections;
use super::problem::Warning;
use super::relocs::{Context, Decide};
use super::resolve::{Program, SymbolId};
use super::tables::Symbols;

/// The plan of an output.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub kind: Kind,
    pub graph: Graph<'a>,
    /// The resources of each function; in executables those of kernels include all callees.
    pub usage: Vec<Usage>,
    /// Empty where a later link places shared memory.
    pub banks: Banks,
    pub sections: Sections<'a>,
    pub decide: Decide,
    pub warnings: Vec<Warning>,
}

impl<'a> Plan<'a> {
    /// The context that determines the outcomes of relocations.
    pub fn context<'p>(&'p self, program: &'p Program<'a>) -> Context<'p, 'a> {
        let Plan { graph, banks, sections, decide, .. } = self;
        Context { program, graph, banks, sections, decide: *decide }
    }
}

/// The tables whose content differs between the two kinds of output.
pub(crate) struct Tables<'a> {
    pub symbols: Symbols<'a>,
    /// `.nv.callgraph` and `.nv.prototype`.
    pub callgraph: Vec<u8>,
    pub prototypes: Vec<u8>,
    /// `.nv.info`.
    pub info: Vec<u8>,
    /// By function: the symbols that it uses and the file does not define.
    pub externs: Vec<Vec<SymbolId>>,
}
