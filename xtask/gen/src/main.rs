//! `cargo run -p raddle-gen [-- --check]`: the same as `cargo xtask gen`, but it builds even while the tables do not.
#![forbid(unsafe_code)]

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    raddle_gen::run(&args)
}
