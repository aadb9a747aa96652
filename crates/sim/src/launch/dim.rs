//! Extents of grids and blocks.

use super::{LaunchError, parse_int};
use std::fmt;

/// Extent of a grid or a block; each between 1 and 2^32-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim3 {
    /// Extent in x.
    pub x: u32,
    /// Extent in y.
    pub y: u32,
    /// Extent in z.
    pub z: u32,
}

impl Dim3 {
    /// Extent in all three directions.
    pub const fn new(x: u32, y: u32, z: u32) -> Dim3 {
        Dim3 { x, y, z }
    }

    /// Parses `X[,Y[,Z]]`, each at least 1.
    pub fn parse(text: &str) -> Result<Dim3, LaunchError> {
        let mut dims = [1u32; 3];
        let parts: Vec<&str> = text.split(',').collect();
        if parts.len() > 3 {
            return Err(LaunchError::Dim(text.to_string()));
        }
        for (dim, part) in dims.iter_mut().zip(&parts) {
            *dim = parse_int(part.trim(), 32, false)
                .filter(|&v| v > 0)
                .ok_or_else(|| LaunchError::Dim(text.to_string()))? as u32;
        }
        Ok(Dim3::new(dims[0], dims[1], dims[2]))
    }

    /// Product of the extents.
    pub fn count(self) -> u64 {
        u64::from(self.x) * u64::from(self.y) * u64::from(self.z)
    }

    /// The coordinates of element `i`, x fastest.
    pub fn unflatten(self, i: u64) -> [u32; 3] {
        let (x, y) = (u64::from(self.x), u64::from(self.y));
        [(i % x) as u32, (i / x % y) as u32, (i / x / y) as u32]
    }
}

impl From<u32> for Dim3 {
    fn from(x: u32) -> Dim3 {
        Dim3::new(x, 1, 1)
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.x, self.y, self.z)
    }
}
