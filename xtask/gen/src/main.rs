//! `cargo run -p raddle-gen [-- --check]`: the same as `cargo xtask gen`, but it builds even while the tables do not.
#![forbid(unsafe_code)]

fn main() -> anyhow::Result<()> {
    raddle_gen::run(std::env::args().any(|arg| arg == "--check"))
}
