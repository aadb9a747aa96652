//! Cubin model, reader and writer; .nv.info attributes; relocation kinds; unit objects.
#![forbid(unsafe_code)]

pub mod unit;
