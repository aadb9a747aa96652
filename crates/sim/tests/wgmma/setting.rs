//! Matrices of small integers, their images in shared memory and in registers, and the kernel that
//! multiplies them. The layouts are written here a second time, by core matrices of 8 rows of 16
//! bytes whose pieces are exchanged by the number of the row.

use raddle_sim::failure::Failure;
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;

/// A type of elements: its name, bits, and the word of a small integer.
#[derive(Clone, Copy)]
pub struct Type {
    pub name: &'static str,
    pub bits: u32,
    pub word: fn(i32) -> u64,
}

fn float(x: i32, exponent: u32, fraction: u32) -> u64 {
    if x == 0 {
        return 0;
    }
    let top = x.unsigned_abs().ilog2();
    let field = u64::from(top) + (1 << (exponent - 1)) - 1;
    let rest = u64::from(x.unsigned_abs() - (1 << top)) << (fraction - top.min(fraction));
    u64::from(x < 0) << (exponent + fraction) | field << fraction | rest
}

pub const F16: Type = Type { name: "f16", bits: 16, word: |x| float(x, 5, 10) };
pub const BF16: Type = Type { name: "bf16", bits: 16, word: |x| float(x, 8, 7) };
pub const TF32: Type = Type { name: "tf32", bits: 32, word: |x| float(x, 8, 23) };
pub const E4M3: Type = Type { name: "e4m3", bits: 8, word: |x| float(x, 4, 3) };
pub const E5M2: Type = Type { name: "e5m2", bits: 8, word: |x| float(x, 5, 2) };
pub const S8: Type = Type { name: "s8", bits: 8, word: |x| x as u8 as u64 };
pub const U8: Type = Type { name: "u8", bits: 8, word: |x| x as u8 as u64 };
pub const B1: Type = Type { name: "b1", bits: 1, word: |x| x as u64 };
pub const F32: Type = Type { name: "f32", bits: 32, word: |x| float(x, 8, 23) };
pub const S32: Type = Type { name: "s32", bits: 32, word: |x| x as u32 as u64 };

/// One product.
#[derive(Clone, Copy)]
pub struct Case {
    pub d: Type,
    pub a: Type,
    pub b: Type,
    pub n: usize,
    /// Swizzle modes of A and B: 16-byte pieces of a row of the pattern.
    pub wide: [usize; 2],
    /// Whether A and B are stored by columns of k.
    pub turned: [bool; 2],
    pub registers: bool,
    pub sparse: bool,
    pub selector: usize,
    pub scale_d: bool,
    /// Signs of A and B.
    pub signs: [i32; 2],
}

impl Case {
    pub const fn new(d: Type, a: Type, b: Type, n: usize) -> Case {
        Case {
            d,
            a,
            b,
            n,
            wide: [8; 2],
            turned: [false; 2],
            registers: false,
            sparse: false,
            selector: 0,
            scale_d: true,
            signs: [1; 2],
        }
    }

    /// k of the product.
    pub fn k(&self) -> usize {
        (256usize << usize::from(self.sparse)) / self.a.bits as usize
    }

    pub fn kept(&self) -> usize {
        self.k() >> usize::from(self.sparse)
    }

    pub fn registers_of_d(&self) -> usize {
        self.n * self.d.bits as usize / 64
    }
}

/// A generator of small numbers.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn of(&mut self, ty: Type) -> i32 {
        match ty.name {
            "b1" => self.below(2) as i32,
            "u8" => self.below(200) as i32,
            "s8" => self.below(200) as i32 - 100,
            _ => self.below(7) as i32 - 3,
        }
    }

    fn matrix(&mut self, ty: Type, rows: usize, columns: usize) -> Vec<Vec<i32>> {
        (0..rows).map(|_| (0..columns).map(|_| self.of(ty)).collect()).collect()
    }
}

/// Bytes of shared memory of each matrix.
pub const IMAGE: usize = 65536;

/// The image of a matrix, rows by k, and its descriptor without the start.
fn image(matrix: &[Vec<i32>], ty: Type, wide: usize, turned: bool) -> (Vec<u8>, u64) {
    let (rows, ks) = (matrix.len(), matrix[0].len());
    let mut bytes = vec![0u8; IMAGE];
    let (leading, stride);
    let (outer, inner) = if turned { (ks, rows) } else { (rows, ks) };
    let line = inner * ty.bits as usize / 8;
    let pieces = line.div_ceil(16 * wide);
    if wide == 1 && turned {
        // Core matrices: the next one along k is at the leading offset.
        (stride, leading) = (128 + 16, (128 + 16) * (line / 16));
    } else if wide == 1 {
        (leading, stride) = (128 + 16, (128 + 16) * (line / 16));
    } else if turned {
        (stride, leading) = (128 * wide, 128 * wide * outer.div_ceil(8));
    } else {
        (leading, stride) = (128 * wide, 128 * wide * pieces);
    }
    for (row, line) in matrix.iter().enumerate() {
        for (k, &x) in line.iter().enumerate() {
            let (o, i) = if turned { (k, row) } else { (row, k) };
            let bit = i * ty.bits as usize;
            let (piece, inside) = (bit / 128, bit / 8 % 16);
            let at = if wide == 1 {
                let along = if turned { stride } else { leading };
                let across = if turned { leading } else { stride };
                o / 8 * across + o % 8 * 16 + piece * along + inside
            } else {
                let (outside, piece) = (piece / wide, piece % wide);
                let exchanged = piece ^ (o % 8 * wide / 8);
                o / 8 * stride + outside * leading + o % 8 * 16 * wide + exchanged * 16 + inside
            };
            let word = (ty.word)(x) << (bit % 8);
            for (n, byte) in word.to_le_bytes().iter().enumerate().take(ty.bits.div_ceil(8) as usize) {
                bytes[at + n] |= byte;
            }
        }
    }
    let mode: u64 = match wide {
        8 => 1,
        4 => 2,
        2 => 3,
        _ => 0,
    };
    (bytes, mode << 62 | (stride as u64 / 16) << 32 | (leading as u64 / 16) << 16)
}

/// Everything that a case computes with.
pub struct Setting {
    pub text: String,
    pub input: Vec<u8>,
    /// The words of D, by thread and register.
    pub expected: Vec<u32>,
}

/// Row and column of an element of D.
fn place(case: &Case, thread: usize, register: usize, element: usize) -> (usize, usize) {
    let (warp, lane) = (thread / 32, thread % 32);
    let (half, column) = match case.d.bits {
        16 => (register % 2, register / 2 * 8 + lane % 4 * 2 + element),
        _ => (register / 2 % 2, register / 4 * 8 + lane % 4 * 2 + register % 2),
    };
    (warp * 16 + lane / 4 + 8 * half, column)
}

/// The text of a product with the accumulators `%d` and the operands of [`module`].
pub fn product(case: &Case) -> String {
    let Case { d, a, b, n, .. } = *case;
    let list = |name: &str, count: usize| (0..count).map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(",");
    let (sp, meta) = if case.sparse { (".sp", format!(" %meta, {},", case.selector)) } else { ("", String::new()) };
    let a_text = if case.registers { format!("{{{}}}", list("a", 4)) } else { "%da".into() };
    let suffix = if a.bits == 1 { ".and.popc" } else { "" };
    let mut tail = String::new();
    if a.name != "s8" && a.name != "u8" && a.bits != 1 {
        tail = format!(", {}, {}", case.signs[0], case.signs[1]);
    }
    if a.bits == 16 {
        let turned = case.turned.map(u32::from);
        tail += &if case.registers { format!(", {}", turned[1]) } else { format!(", {}, {}", turned[0], turned[1]) };
    }
    format!(
        "wgmma.mma_async{sp}.sync.aligned.m64n{n}k{}.{}.{}.{}{suffix} {{{}}}, {a_text}, %db,{meta} %scale{tail};",
        case.k(),
        d.name,
        a.name,
        b.name,
        list("d", case.registers_of_d())
    )
}

/// A kernel of 128 threads: `body` runs after both matrices are in shared memory and all registers
/// are loaded; then D is stored.
pub fn module(case: &Case, descriptors: [u64; 2], body: &str) -> String {
    let count = case.registers_of_d();
    let (mut loads, mut stores) = (String::new(), String::new());
    for i in 0..count {
        loads += &format!("ld.global.b32 %d{i}, [%c+{}];\n", 4 * i);
        stores += &format!("st.global.b32 [%o+{}], %d{i};\n", 4 * i);
    }
    for i in 0..4 {
        loads += &format!("ld.global.b32 %a{i}, [%c+{}];\n", 4 * (count + i));
    }
    format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 s[];\n\
         .visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
         .reg .pred %p, %scale; .reg .b64 %in, %out, %x, %c, %o, %da, %db, %w; .reg .b32 %t, %i, %j, %s, %v<4>, %meta, \
         %q; .reg .b32 %d<{count}>; .reg .b32 %a<4>;\n\
         ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %s, s;\n\
         shl.b32 %i, %t, 4;\nL: cvt.u64.u32 %x, %i; add.u64 %x, %x, %in; ld.global.v4.b32 {{%v0,%v1,%v2,%v3}}, [%x];\n\
         add.u32 %j, %i, %s; st.shared.v4.b32 [%j], {{%v0,%v1,%v2,%v3}}; add.u32 %i, %i, 2048;\n\
         setp.lt.u32 %p, %i, {}; @%p bra L;\n\
         mad.wide.u32 %c, %t, {}, %in; add.u64 %c, %c, {}; mad.wide.u32 %o, %t, {}, %out;\n{loads}\
         ld.global.b32 %meta, [%c+{}]; ld.global.b32 %q, [%c+{}]; setp.ne.u32 %scale, %q, 0;\n\
         shr.u32 %j, %s, 4; cvt.u64.u32 %w, %j; or.b64 %da, %w, {:#x}; add.u32 %j, %s, {IMAGE}; shr.u32 %j, %j, 4; \
         cvt.u64.u32 %w, %j; or.b64 %db, %w, {:#x};\n\
         {body}\n{stores}ret;\n}}\n",
        2 * IMAGE,
        4 * (count + 6),
        2 * IMAGE,
        4 * count,
        4 * (count + 4),
        4 * (count + 5),
        descriptors[0],
        descriptors[1],
    )
}

/// The usual body.
pub fn body(case: &Case, products: usize) -> String {
    let product = product(case) + "\n";
    format!(
        "fence.proxy.async.shared::cta; bar.sync 0;\nwgmma.fence.sync.aligned;\n{}wgmma.commit_group.sync.aligned;\n\
         wgmma.wait_group.sync.aligned 0;",
        product.repeat(products)
    )
}

/// Metadata of a row's chunk: its two of four (or one of two) positions.
fn metadata(words: &mut [u32], case: &Case, row: usize, chunk: usize, nibble: u32) {
    let (first, upper) = (row / 16 * 32 + row % 8 * 4, row % 16 / 8);
    let (lane, shift) = match case.a.bits {
        8 => (upper + chunk / 8 * 2, chunk / 2 % 4 * 8 + chunk % 2 * 4),
        _ => (2 * case.selector + chunk / 4, chunk % 4 * 4 + 16 * upper),
    };
    words[first + lane] |= nibble << shift;
}

impl Setting {
    /// Makes matrices and the kernel that multiplies them, `times` times.
    pub fn new(case: &Case, seed: u64, times: usize, body: &str) -> Setting {
        let mut numbers = Numbers(seed);
        let (n, k) = (case.n, case.k());
        let stored = numbers.matrix(case.a, 64, case.kept());
        let b = numbers.matrix(case.b, n, k);
        let mut c = numbers.matrix(case.d, 64, n);
        let mut meta = vec![0u32; 128];
        // The dense A.
        let mut a = vec![vec![0; k]; 64];
        for row in 0..64 {
            if !case.sparse {
                a[row].copy_from_slice(&stored[row]);
            } else if case.a.bits == 32 {
                for chunk in 0..k / 2 {
                    let at = numbers.below(2) as usize;
                    a[row][2 * chunk + at] = stored[row][chunk];
                    metadata(&mut meta, case, row, chunk, [0b0100, 0b1110][at]);
                }
            } else {
                for chunk in 0..k / 4 {
                    let (x, y) = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)][numbers.below(6) as usize];
                    a[row][4 * chunk + x] = stored[row][2 * chunk];
                    a[row][4 * chunk + y] = stored[row][2 * chunk + 1];
                    metadata(&mut meta, case, row, chunk, (x | y << 2) as u32);
                }
            }
        }
        let (image_a, da) = image(&stored, case.a, case.wide[0], case.turned[0]);
        let (image_b, db) = image(&b, case.b, case.wide[1], case.turned[1]);
        let mut input = image_a;
        input.extend(image_b);
        let word = |matrix: &[Vec<i32>], thread: usize, r: usize| {
            (0..32 / case.d.bits as usize).fold(0, |word, e| {
                let (row, column) = place(case, thread, r, e);
                word | ((case.d.word)(matrix[row][column]) as u32) << (16 * e)
            })
        };
        let each = 32 / case.a.bits as usize;
        for (thread, meta) in meta.iter().enumerate() {
            (0..case.registers_of_d()).for_each(|r| input.extend(word(&c, thread, r).to_le_bytes()));
            for r in 0..4 {
                let row = thread / 32 * 16 + thread % 32 / 4 + 8 * (r % 2);
                let value = (0..each).fold(0, |value, e| {
                    let k = each * (thread % 4 + 4 * (r / 2)) + e;
                    value | (case.a.word)(stored[row][k]) << (e * case.a.bits as usize)
                });
                input.extend((value as u32).to_le_bytes());
            }
            input.extend(meta.to_le_bytes());
            input.extend(u32::from(case.scale_d).to_le_bytes());
        }
        let sign = case.signs[0] * case.signs[1];
        for _ in 0..times {
            for (row, column) in (0..64).flat_map(|row| (0..n).map(move |column| (row, column))) {
                let sum: i32 = (0..k).map(|k| a[row][k] * b[column][k]).sum();
                let before = if case.scale_d { c[row][column] } else { 0 };
                c[row][column] = before + sign * sum;
            }
        }
        let all = (0..128).flat_map(|t| (0..case.registers_of_d()).map(move |r| (t, r)));
        let expected = all.map(|(t, r)| word(&c, t, r)).collect();
        Setting { text: module(case, [da, db], body), input, expected }
    }

    /// Runs it in the interpreter.
    pub fn run(&self, seed: u64) -> Result<Vec<u32>, Failure> {
        let mut mem = Memory::new();
        let input = mem.add("in", self.input.clone(), false);
        let out = mem.add("out", vec![0; 4 * self.expected.len()], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(128);
        launch.dyn_shared = 2 * IMAGE as u32;
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(out)];
        launch.seed = seed;
        interp::run(&self.text, &launch, &mut mem)?;
        let bytes = mem.read_back(out).expect("all is defined");
        Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect())
    }
}
