//! Repository chores: table generation, mining, probing, figures.
fn main() {}
