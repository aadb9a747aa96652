//! PTX interpreter and SASS simulator with hazard checks.
#![forbid(unsafe_code)]
