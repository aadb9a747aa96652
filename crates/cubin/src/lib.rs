//! Cubin model, reader and writer; .nv.info attributes; relocation kinds; unit objects.
//!
//! Where to start: [`Cubin::parse`] reads any file into the model, [`Cubin::kernels`] and
//! [`Cubin::variables`] are the views for tools and the simulator, [`unit::UnitObject`] is the
//! output of code generation for the linker.
#![forbid(unsafe_code)]

mod assemble;
pub mod diff;
pub mod edit;
pub mod elf;
pub mod facts;
mod headers;
pub mod info;
pub mod leb128;
pub mod lines;
pub mod load;
pub mod model;
pub mod opaque;
pub mod raw;
pub mod read;
pub mod registers;
pub mod reloc;
pub mod report;
pub mod unit;
pub mod view;
pub mod write;

pub use headers::ReadError;
pub use model::Cubin;
pub use write::{SegmentStyle, WriteError};
