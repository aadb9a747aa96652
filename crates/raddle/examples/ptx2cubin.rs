//! Compiles a file of PTX: `cargo run -p raddle --example ptx2cubin -- IN.ptx sm_90 OUT.cubin`
#![forbid(unsafe_code)]

use raddle::{Arch, Options};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [input, arch, output] = &words[..] else { return Err("usage: ptx2cubin IN.ptx ARCH OUT.cubin".into()) };
    let arch: Arch = arch.parse()?;
    let cubin = raddle::compile(&std::fs::read_to_string(input)?, &Options::new(arch).name(input))?;
    for kernel in cubin.kernels() {
        println!(
            "{}: {} registers, {} bytes of shared memory",
            kernel.name(),
            kernel.registers(),
            kernel.shared_bytes()
        );
    }
    for found in cubin.diagnostics() {
        eprint!("{found}");
    }
    std::fs::write(output, cubin.bytes())?;
    Ok(())
}
