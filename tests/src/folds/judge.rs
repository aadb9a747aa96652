//! Runs many kernels at once.

use raddle_sim::launch::Dim3;

use super::tree::{Kernel, WORDS};
use crate::rng::Rng;
use crate::suites::program::{Program, Run, Runs, Value};

/// Threads of the block.
pub const THREADS: u32 = 32;

/// Boundary values.
const SPECIAL: [u32; 12] =
    [0, 1, 2, 31, 32, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ffff, 0x0000_ffff, 0xffff_8000, 0x8080_8080];

/// The words of the input: every second one is a boundary value.
pub fn input() -> Vec<u8> {
    let mut rng = Rng::new(15, 82);
    let word = |_| if rng.chance(1, 2) { *rng.pick(&SPECIAL) } else { rng.next() as u32 };
    (0..THREADS as usize * WORDS).map(word).flat_map(u32::to_le_bytes).collect()
}

/// The launches of a kernel: `n` is 0, a small number, a large one.
pub fn launches(name: &str) -> Vec<Run> {
    let one = |n: u32| Run {
        name: format!("n = {n}"),
        kernel: name.to_owned(),
        grid: Dim3::from(1),
        block: Dim3::from(THREADS),
        shared: 0,
        values: vec![
            Value::Buffer(input()),
            Value::Buffer(vec![0; 4 * THREADS as usize]),
            Value::Bytes(n.to_le_bytes().to_vec()),
        ],
        expected: None,
    };
    [0, 5, 0x8000_0003].map(one).to_vec()
}

/// A module of kernels with their launches.
pub fn program(kernels: &[Kernel], arch: &str) -> Program {
    let name = kernels.first().map_or_else(String::new, Kernel::name);
    let runs = kernels.iter().flat_map(|k| launches(&k.name())).collect();
    Program { name, text: Kernel::module(kernels, arch), runs: Runs::Specified(runs) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folds::generate::generate;
    use crate::judge::ARCHS;
    use crate::suites::compare::{Seen, Tools, Verdict, compare};

    /// Kernels of each architecture.
    const KERNELS: u64 = 100;
    /// Kernels of a module: each launch reads the whole module, the interpreter its text and the
    /// simulator its code.
    const TOGETHER: usize = 10;

    #[test]
    fn folds_of_ours_are_right() {
        for (n, arch) in ARCHS.iter().enumerate() {
            let kernels: Vec<Kernel> = (0..KERNELS).map(|k| generate(k * ARCHS.len() as u64 + n as u64)).collect();
            let archs = [*arch];
            let judge = |some: &[Kernel]| compare(&program(some, arch), Tools { archs: &archs, ..Tools::NONE }, None);
            let seen: Vec<Seen> = kernels.chunks(TOGETHER).flat_map(judge).collect();
            let wrong: Vec<&Seen> = seen.iter().filter(|s| s.verdict != Verdict::Same).collect();
            assert!(wrong.is_empty(), "{} of {}: {:?}", wrong.len(), seen.len(), wrong[0]);
            // Three launches each: the interpreter, and our four levels.
            assert_eq!(seen.len() as u64, KERNELS * 3 * 5);
        }
    }
}
