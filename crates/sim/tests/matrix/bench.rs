//! Kernels around one instruction, and numbers in every type.

use raddle_entity::SplitMix;
use raddle_sim::failure::FailureKind;
use raddle_sim::float::{BF16, E4M3, E5M2, F16, F32, F64, Mode, to_float};
use raddle_sim::interp::{self, Setup};
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;

/// Runs a kernel `k(p)` with 32 threads on a buffer; returns the buffer.
pub fn run(text: &str, bytes: Vec<u8>, seed: u64, sm: Option<u32>) -> Result<Vec<u8>, FailureKind> {
    let mut mem = Memory::new();
    let buffer = mem.add("buffer", bytes, true);
    let mut launch = Launch::new("k");
    launch.block = Dim3::from(32);
    launch.args = vec![Arg::Buffer(buffer)];
    launch.seed = seed;
    let ran = interp::run_with(text, &launch, &mut mem, Setup { sm, ..Setup::default() });
    ran.map_err(|failure| *failure.kind)?;
    mem.read_back(buffer).map(<[u8]>::to_vec)
}

/// Registers of all lanes: `[register][lane]`.
pub type Registers = Vec<[u64; 32]>;

/// A kernel that loads the registers of some operands, executes instructions on them, and stores
/// those of the first operand.
pub struct Bench {
    pub target: &'static str,
    /// Instructions; `$0`, `$1`, ... are the operands as vectors, `%s` is 1 KiB of shared memory.
    pub text: String,
    /// Registers and bits of a register of each operand; the first one is written.
    pub operands: Vec<(usize, u32)>,
}

impl Bench {
    fn name(operand: usize, register: usize) -> String {
        format!("%x{operand}_{register}")
    }

    pub fn module(&self) -> String {
        let mut body = String::new();
        let mut text = self.text.clone();
        let (mut loads, mut stores, mut at) = (String::new(), String::new(), 0);
        for (operand, &(count, bits)) in self.operands.iter().enumerate() {
            let names: Vec<String> = (0..count).map(|r| Bench::name(operand, r)).collect();
            for name in &names {
                body += &format!(".reg .b{bits} {name};\n");
                let address = format!("mad.wide.u32 %a, %t, {}, %p;", bits / 8);
                loads += &format!("{address} ld.global.b{bits} {name}, [%a+{at}];\n");
                if operand == 0 {
                    stores += &format!("{address} st.global.b{bits} [%a+{at}], {name};\n");
                }
                at += 32 * bits / 8;
            }
            text = text.replace(&format!("${operand}"), &format!("{{{}}}", names.join(", ")));
        }
        format!(
            ".version 8.7\n.target {}\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
             .shared .align 128 .b8 s[1024]; .reg .b64 %p, %a; .reg .b32 %t, %s;\n{body}\
             ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mov.u32 %s, s;\n{loads}{text}\n{stores}ret;\n}}\n",
            self.target
        )
    }

    /// Returns the registers of the first operand afterwards.
    pub fn run(&self, operands: &[Registers], sm: Option<u32>) -> Result<Registers, FailureKind> {
        let mut bytes = Vec::new();
        assert_eq!(operands.len(), self.operands.len());
        for (registers, &(count, bits)) in operands.iter().zip(&self.operands) {
            assert_eq!(registers.len(), count);
            for word in registers.iter().flatten() {
                bytes.extend(&word.to_le_bytes()[..bits as usize / 8]);
            }
        }
        let found = run(&self.module(), bytes.clone(), 0, sm)?;
        assert_eq!(found, run(&self.module(), bytes, 5, sm)?, "another order of lanes");
        let (count, bits) = self.operands[0];
        let size = bits as usize / 8;
        let word = |at: usize| {
            let mut word = [0; 8];
            word[..size].copy_from_slice(&found[at * size..(at + 1) * size]);
            u64::from_le_bytes(word)
        };
        Ok((0..count).map(|r| std::array::from_fn(|lane| word(32 * r + lane))).collect())
    }
}

/// The bits of an element of a type.
pub fn bits(ty: &str) -> u32 {
    match ty {
        "b1" => 1,
        "s4" | "u4" => 4,
        "s8" | "u8" | "e4m3" | "e5m2" => 8,
        "f16" | "bf16" => 16,
        "tf32" | "f32" | "s32" => 32,
        "f64" => 64,
        other => panic!("{other}"),
    }
}

/// An integer in a type that has it.
pub fn encode(ty: &str, value: i64) -> u64 {
    let format = match ty {
        "f16" => &F16,
        "bf16" => &BF16,
        "f32" | "tf32" => &F32,
        "e4m3" => &E4M3,
        "e5m2" => &E5M2,
        "f64" => return (value as f64).to_bits(),
        _ => return value as u64 & (u64::MAX >> (64 - bits(ty))),
    };
    let word = to_float(&F64, format, (value as f64).to_bits(), Mode::RN, false);
    assert_eq!(to_float(format, &F64, word, Mode::RN, false), (value as f64).to_bits(), "{value} in {ty}");
    word
}

/// A random integer that every sum of products of the type can hold exactly.
pub fn random(ty: &str, rng: &mut SplitMix) -> i64 {
    let n = rng.next() as i64;
    match ty {
        "b1" => n & 1,
        "u4" => n & 15,
        "s4" => (n & 15) - 8,
        "u8" => n & 255,
        "s8" => (n & 255) - 128,
        "f32" | "f16" | "s32" | "f64" | "tf32" | "bf16" => n.rem_euclid(9) - 4,
        _ => [-4, -3, -2, -1, 0, 1, 2, 3][n.rem_euclid(8) as usize],
    }
}

/// A matrix by rows.
pub type Matrix = Vec<Vec<i64>>;

pub fn matrix(rows: usize, columns: usize, ty: &str, rng: &mut SplitMix) -> Matrix {
    (0..rows).map(|_| (0..columns).map(|_| random(ty, rng)).collect()).collect()
}

/// `c` plus the product, with `f` for the product of two elements.
pub fn product(a: &Matrix, b: &Matrix, c: &Matrix, f: fn(i64, i64) -> i64) -> Matrix {
    let sum = |i: usize, j: usize| c[i][j] + (0..b.len()).map(|k| f(a[i][k], b[k][j])).sum::<i64>();
    (0..c.len()).map(|i| (0..c[0].len()).map(|j| sum(i, j)).collect()).collect()
}

/// Where element number `i` of a lane is, counted over its registers.
pub type Place<'a> = &'a dyn Fn(usize, usize) -> (usize, usize);

/// The registers that hold a matrix.
pub fn pack(matrix: &Matrix, ty: &str, (count, register): (usize, u32), place: Place) -> Registers {
    let each = (register / bits(ty)) as usize;
    let word = |r: usize, lane: usize| {
        (0..each).fold(0, |word, e| {
            let (row, column) = place(lane, r * each + e);
            word | encode(ty, matrix[row][column]) << (e as u32 * bits(ty))
        })
    };
    (0..count).map(|r| std::array::from_fn(|lane| word(r, lane))).collect()
}
