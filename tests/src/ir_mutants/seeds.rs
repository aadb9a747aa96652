//! The valid files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use raddle_filetest::oracle::Oracle;

use super::containers::{Image, archive, host_object, package1, package2};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// LLVM bitcode.
    Bitcode,
    /// Textual LLVM IR.
    Text,
    /// Offload packages of version 1 or 2.
    Package,
    /// An archive of bitcode, packages and other files.
    Archive,
    /// A host object with offload packages.
    Host,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Bitcode, Kind::Text, Kind::Package, Kind::Archive, Kind::Host];

    /// The suffix of its files.
    pub fn suffix(self) -> &'static str {
        match self {
            Kind::Bitcode => "bc",
            Kind::Text => "ll",
            Kind::Package => "offload",
            Kind::Archive => "a",
            Kind::Host => "o",
        }
    }

    /// Whether it contains other files.
    pub fn is_container(self) -> bool {
        matches!(self, Kind::Package | Kind::Archive | Kind::Host)
    }
}

/// A valid file.
#[derive(Clone, Debug)]
pub struct Seed {
    /// What it is.
    pub kind: Kind,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// Sources for the device: a loop with shared memory, functions called by address, variables with
/// initial values, control flow with floats.
const SOURCES: [(&str, &str); 3] = [
    (
        "loop",
        "extern \"C\" __attribute__((global)) void sum(int *p, int n) {
             static __attribute__((shared)) int tile[64];
             int t = __nvvm_read_ptx_sreg_tid_x(), s = 0;
             tile[t & 63] = p[t];
             __syncthreads();
             for (int i = 0; i < n; i++) s += tile[(t + i) & 63] * i;
             p[t] = s;
         }",
    ),
    (
        "table",
        "__attribute__((device)) static int twice(int x) { return 2 * x; }
         __attribute__((device, noinline)) int other(int x);
         __attribute__((device)) int (*volatile table[2])(int) = {twice, other};
         __attribute__((device, noinline)) int other(int x) { return x ^ 12345; }
         extern \"C\" __attribute__((global)) void apply(int *p) {
             int t = __nvvm_read_ptx_sreg_tid_x();
             p[t] = table[t & 1](p[t]);
         }",
    ),
    (
        "values",
        "struct pair { int a; float b; short c[3]; };
         __attribute__((device)) struct pair pairs[3] = {{1, 2.5f, {3}}, {4, -5.0f, {6, 7}}, {}};
         __attribute__((constant)) double weights[4] = {0.5, 1e300, -0.0, 3};
         extern \"C\" __attribute__((global)) void weigh(float *p, unsigned n) {
             unsigned t = __nvvm_read_ptx_sreg_tid_x();
             if (t >= n) return;
             float x = p[t] * pairs[t % 3].b;
             switch (t & 3) {
             case 0: x += (float)weights[t & 3]; break;
             case 1: while (x > 1) x /= 3; break;
             case 2: x = __builtin_fmaf(x, x, pairs[0].a); break;
             }
             p[t] = x;
         }",
    ),
];

/// How clang compiles them.
const OPTIONS: [&[&str]; 4] = [&["-O0"], &["-O2", "-Xclang", "-disable-llvm-passes"], &["-O2"], &["-O2", "-g"]];

/// Makes valid files with clang, which writes into a folder.
///
/// # Errors
/// What clang refuses, and trouble with files.
pub fn seeds(clang: &Oracle, folder: &Path) -> Result<Vec<Seed>> {
    let (mut bitcode, mut out) = (Vec::new(), Vec::new());
    for (name, text) in SOURCES {
        let source = folder.join(format!("{name}.cu"));
        fs::write(&source, text)?;
        for options in OPTIONS {
            for (kind, how) in [(Kind::Bitcode, "-c"), (Kind::Text, "-S")] {
                let file = folder.join(name);
                let fixed = "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -fgpu-rdc -w \
                             -emit-llvm";
                let mut args: Vec<&str> = fixed.split_whitespace().chain(options.iter().copied()).collect();
                let (shown, output) = (source.display().to_string(), file.display().to_string());
                // The name of the source is part of the result.
                args.extend([how, "-fdebug-compilation-dir=.", "-o", &output, &shown]);
                clang.run(&args).with_context(|| format!("clang, {name}, {options:?}"))?;
                let bytes = fs::read(file)?;
                if kind == Kind::Bitcode {
                    bitcode.push(bytes.clone());
                }
                out.push(Seed { kind, bytes });
            }
        }
    }
    out.extend(bitcode.iter().step_by(3).map(|bytes| Seed { kind: Kind::Bitcode, bytes: wrapped(bytes) }));
    for (n, bytes) in bitcode.iter().enumerate() {
        // Of another source: no symbol is defined twice.
        let next = &bitcode[(n + OPTIONS.len()) % bitcode.len()];
        let image = |arch, bytes| Image { triple: "nvptx64-nvidia-cuda", arch, bytes };
        let host = Image { triple: "x86_64-unknown-linux-gnu", arch: "", bytes: next };
        let one = package1(&image("sm_90", bytes));
        let several = package2(&[host, image("sm_80", next), image("sm_90", bytes)]);
        let files = [("a.bc", &next[..]), ("notes", b"text"), ("a-long-name-of-a-member.o", &several[..])];
        out.extend(
            [(Kind::Package, one.clone()), (Kind::Package, several.clone())].map(|(kind, bytes)| Seed { kind, bytes }),
        );
        out.push(Seed { kind: Kind::Archive, bytes: archive(&files) });
        out.push(Seed { kind: Kind::Host, bytes: host_object(if n % 2 == 0 { &one } else { &several }) });
    }
    Ok(out)
}

/// Bitcode in LLVM's wrapper: magic, version, offset, size, CPU type ("Bitcode File Format").
fn wrapped(bitcode: &[u8]) -> Vec<u8> {
    let head = [0x0b17_c0de, 0, 20, bitcode.len() as u32, 0];
    head.iter().flat_map(|field: &u32| field.to_le_bytes()).chain(bitcode.iter().copied()).collect()
}
