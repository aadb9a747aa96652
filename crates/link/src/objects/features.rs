//! Features that a function uses, besides registers, barriers and stack: attributes that a kernel
//! inherits from what it reaches.

use raddle_cubin::info::code;
use raddle_cubin::raw::RawAttribute;

/// The features that a function uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features {
    /// NUM_MBARRIERS.
    mbarriers: Option<u16>,
    /// SPARSE_MMA_MASK: a bit for each kind.
    sparse_mma: Option<u16>,
    /// CTAIDZ_USED.
    ctaid_z: bool,
    /// RESERVED_SMEM_USED.
    reserved_shared: bool,
}

impl Features {
    /// Reads an attribute.
    pub fn read(&mut self, a: &RawAttribute<'_>) {
        let half = || Some(a.value().first_chunk::<2>().map_or(0, |b| u16::from_le_bytes(*b)));
        match a.code {
            code::NUM_MBARRIERS => self.mbarriers = half(),
            code::SPARSE_MMA_MASK => self.sparse_mma = half(),
            code::CTAIDZ_USED => self.ctaid_z = true,
            code::RESERVED_SMEM_USED => self.reserved_shared = true,
            _ => {}
        }
    }

    /// Adds the features of a callee. An empty mask is not added to a function without a mask.
    pub fn add(&mut self, other: Features) {
        if let Some(more) = other.mbarriers {
            // The largest number means an unknown size, and is kept.
            self.mbarriers = Some(self.mbarriers.unwrap_or(0).saturating_add(more));
        }
        if let Some(more) = other.sparse_mma.filter(|&more| self.sparse_mma.is_some() || more != 0) {
            self.sparse_mma = Some(self.sparse_mma.unwrap_or(0) | more);
        }
        self.ctaid_z |= other.ctaid_z;
        self.reserved_shared |= other.reserved_shared;
    }

    /// The numbers of the attributes that are present.
    pub fn codes(&self) -> impl Iterator<Item = u8> + use<> {
        let all = [
            (code::NUM_MBARRIERS, self.mbarriers.is_some()),
            (code::SPARSE_MMA_MASK, self.sparse_mma.is_some()),
            (code::CTAIDZ_USED, self.ctaid_z),
            (code::RESERVED_SMEM_USED, self.reserved_shared),
        ];
        all.into_iter().filter(|a| a.1).map(|a| a.0)
    }

    /// The bytes of one of [`Features::codes`].
    pub fn attribute(&self, number: u8) -> [u8; 4] {
        /// Formats of attributes without a value and with one of 16 bits.
        const FORMATS: [u8; 2] = [1, 3];
        let value = match number {
            code::NUM_MBARRIERS => self.mbarriers,
            code::SPARSE_MMA_MASK => self.sparse_mma,
            _ => None,
        };
        let [low, high] = value.unwrap_or(0).to_le_bytes();
        [FORMATS[usize::from(value.is_some())], number, low, high]
    }
}
