//! Typed indices, entity maps, bit sets and the executor trait that hands parallel leaf work to its caller.
#![forbid(unsafe_code)]
