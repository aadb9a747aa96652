//! `wgmma` in the PTX interpreter: products of every kind against a plain product of small
//! integers, which is exact, under several seeds; and every finding.
#![forbid(unsafe_code)]

#[path = "wgmma/findings.rs"]
mod findings;
#[path = "wgmma/products.rs"]
mod products;
#[path = "wgmma/setting.rs"]
mod setting;
