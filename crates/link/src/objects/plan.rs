//! What is decided of an output before its symbols have numbers, whichever kind it is.

use raddle_cubin::model::Kind;

use super::banks::Banks;
use super::graph::{Graph, Usage};
use super::places::Sections;
use super::problem::Warning;
use super::relocs::{Context, Decide};
use super::resolve::{Program, SymbolId};
use super::tables::Symbols;

/// The decisions.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub kind: Kind,
    pub graph: Graph<'a>,
    /// What each function takes; in executables a kernel with all that it calls.
    pub usage: Vec<Usage>,
    /// Empty where a later link places shared memory.
    pub banks: Banks,
    pub sections: Sections<'a>,
    pub decide: Decide,
    pub warnings: Vec<Warning>,
}

impl<'a> Plan<'a> {
    /// What decides on relocations.
    pub fn context<'p>(&'p self, program: &'p Program<'a>) -> Context<'p, 'a> {
        let Plan { graph, banks, sections, decide, .. } = self;
        Context { program, graph, banks, sections, decide: *decide }
    }
}

/// What the two kinds of output say differently in tables that both have.
pub(crate) struct Tables<'a> {
    pub symbols: Symbols<'a>,
    /// `.nv.callgraph` and `.nv.prototype`.
    pub callgraph: Vec<u8>,
    pub prototypes: Vec<u8>,
    /// `.nv.info`.
    pub info: Vec<u8>,
    /// By function: what it uses and the file lacks.
    pub externs: Vec<Vec<SymbolId>>,
}
