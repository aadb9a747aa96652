//! One row of facts per SM architecture: names, limits, bank offsets, container flags, features.
#![forbid(unsafe_code)]
