//! Compiles a file of PTX, tells of each kernel as it ends, gives up after ten seconds, and writes the cubin.
//!
//!     cargo run --example compile -- k.ptx sm_90 k.cubin

use raddle::{Arch, Cancel, Observer, Options};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

struct Told;

impl Observer for Told {
    fn planned(&self, count: usize) {
        println!("{count} to compile");
    }

    fn ended(&self, kernel: &str, time: Duration, failed: bool) {
        println!("{kernel}: {}, {time:.1?}", if failed { "failed" } else { "compiled" });
    }
}

/// Compiles `input` for the architecture of this name to `output`.
pub fn compile(input: &str, arch: &str, output: &str) -> Result<(), Box<dyn Error>> {
    let cancel = Cancel::new();
    let options = Options::new(arch.parse::<Arch>()?).name(input).cancel(&cancel).observer(Arc::new(Told));
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(10));
        cancel.cancel();
    });
    let cubin = raddle::compile(&std::fs::read_to_string(input)?, &options)?;
    for kernel in cubin.kernels() {
        println!(
            "{}: {} registers, {} bytes of shared memory",
            kernel.name(),
            kernel.registers(),
            kernel.shared_bytes()
        );
    }
    Ok(std::fs::write(output, cubin.bytes())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [input, arch, output] = &words[..] else { return Err("compile INPUT ARCH OUTPUT".into()) };
    compile(input, arch, output)
}
