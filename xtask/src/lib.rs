//! Figures: what is measured, its targets, and the pages made of both. The campaigns record through this library.
#![forbid(unsafe_code)]

mod chart;
pub mod figures;
pub mod scale;
