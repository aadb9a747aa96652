//! `cargo xtask gen [--check]`: writes the instruction tables; see the package `raddle-gen`.

pub use raddle_gen::run;
