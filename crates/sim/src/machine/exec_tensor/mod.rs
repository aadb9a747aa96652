//! Executes matrix products and the instructions that move fragments of matrices.
//!
//! A matrix is spread over the registers of all lanes of a warp; [`fragment`] says which element is
//! in which register.

mod fragment;
mod product;
mod transfer;

pub use fragment::Metadata;
pub use product::factor_of;

use super::block::{Block, Exec, Global, LaneFailure};
use super::uop::{Kind, Uop};
use super::warp::Warp;
use crate::failure::FailureKind;

impl Warp {
    /// Runs an instruction of the tensor cores in the lanes of `m`.
    pub fn exec_tensor(&mut self, u: &Uop, m: u32, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        match &u.kind {
            Kind::Matrix(op) => self.exec_matrix(u, m, op),
            Kind::Transfer(op) => self.exec_transfer(u, m, op, blk, g),
            _ => Ok(()),
        }
    }
}

/// Checks that all lanes of the warp execute the instruction together.
fn whole_warp(mask: u32, what: &str) -> Exec {
    if mask == !0 {
        return Ok(());
    }
    let text = format!("{what} needs all lanes of the warp, only {mask:#010x} execute it");
    Err(LaneFailure::new((!mask).trailing_zeros() as usize, FailureKind::Convergence(text)))
}
