//! Objects of units that were made before the program was complete.
//!
//! Problem: PTX that is made from LLVM IR part by part is a program only when its last part is
//! there. Strategy: the task that makes the PTX of a part goes on to compile its kernels. The
//! objects are kept by key, as in the cache: a key contains everything that an object depends on
//! (decision D9), so that the program's units find theirs, whatever else the program contains.

use crate::key::Key;
use raddle_cubin::unit::UnitObject;
use raddle_entity::FxHashMap;
use std::time::Duration;

/// An object that was made early.
#[derive(Clone, Debug)]
pub struct EarlyObject {
    /// The object; its module is not set.
    pub object: UnitObject,
    /// Whether it comes from the cache.
    pub cached: bool,
    /// Wall time of its compilation.
    pub wall: Duration,
    /// CPU time of its compilation.
    pub cpu: Duration,
    /// The peak of memory of its compilation, in bytes; 0 without a meter.
    pub peak: u64,
}

/// Objects by the keys of their units.
#[derive(Clone, Debug, Default)]
pub struct EarlyObjects(FxHashMap<Key, EarlyObject>);

impl EarlyObjects {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds objects.
    pub fn extend(&mut self, objects: Vec<(Key, EarlyObject)>) {
        self.0.extend(objects);
    }

    /// Returns the object of a unit, for the module with this number.
    pub fn get(&self, key: &Key, module: u32) -> Option<EarlyObject> {
        let mut found = self.0.get(key)?.clone();
        found.object.module = module;
        Some(found)
    }
}
