//! `mma.sync`: every dense form.

use super::bench::{Bench, Matrix, Registers, bits, encode, matrix, pack, product};
use raddle_entity::SplitMix;
use raddle_sim::failure::FailureKind;
use raddle_sim::float::{E4M3, F16, Mode, to_float};

/// A form: target, shape, types of D, A, B, C, and what follows them.
struct Form {
    target: &'static str,
    shape: (usize, usize, usize),
    types: [&'static str; 4],
    layouts: &'static str,
    before: &'static str,
    after: &'static str,
}

impl Form {
    fn new(target: &'static str, shape: (usize, usize, usize), types: [&'static str; 4]) -> Form {
        Form { target, shape, types, layouts: ".row.col", before: "", after: "" }
    }

    fn text(&self) -> String {
        let ((m, n, k), [d, a, b, c]) = (self.shape, self.types);
        let (layouts, before, after) = (self.layouts, self.before, self.after);
        format!("mma.sync.aligned.m{m}n{n}k{k}{layouts}{before}.{d}.{a}.{b}.{c}{after} $0, $1, $2, $3;")
    }

    fn quads(&self) -> bool {
        self.shape == (8, 8, 4) && self.types[1] == "f16"
    }

    /// Registers and their width, of D, A, B and C.
    fn operands(&self) -> [(usize, u32); 4] {
        let (m, n, k) = self.shape;
        let groups = if self.quads() { 4 } else { 1 };
        let of = |elements: usize, ty: &str| {
            let register = bits(ty).max(32);
            (groups * elements * bits(ty) as usize / 32 / register as usize, register)
        };
        let [d, a, b, c] = self.types;
        [of(m * n, d), of(m * k, a), of(k * n, b), of(m * n, c)]
    }

    /// Rows and columns of A, B and C: in the register file, where groups of four lanes have their
    /// own matrices.
    fn place(&self, operand: usize, lane: usize, i: usize) -> (usize, usize) {
        if self.quads() {
            return self.place_in_quads(operand, lane, i);
        }
        let (group, thread) = (lane / 4, lane % 4);
        // Neighbours in k: as many as fit in 32 bits, one of 64.
        let run = (32 / bits(self.types[operand]) as usize).max(1);
        let (m, _, _) = self.shape;
        match operand {
            1 if m == 8 => (group, thread * run + i),
            1 => {
                let lower = (i / run) % 2 == 1;
                let right = i >= 2 * run;
                let far = if right { (i / (2 * run)) * 4 * run } else { 0 };
                (if lower { group + 8 } else { group }, thread * run + i % run + far)
            }
            2 => (thread * run + i % run + (i / run) * 4 * run, group),
            _ => (if i < 2 { group } else { group + 8 }, thread * 2 + i % 2),
        }
    }

    fn place_in_quads(&self, operand: usize, lane: usize, i: usize) -> (usize, usize) {
        let group = lane % 16 / 4;
        let high = |x: usize| if lane < 16 { x } else { x + 4 };
        let (a_by_rows, b_by_rows) = (self.layouts.starts_with(".row"), self.layouts.ends_with(".row"));
        match operand {
            1 if a_by_rows => (8 * group + high(lane % 4), i),
            1 => (8 * group + high(i % 4), lane % 4),
            2 if b_by_rows => (lane % 4, 8 * group + high(i)),
            2 => (i, 8 * group + high(lane % 4)),
            _ if self.types[operand] == "f16" => (8 * group + high(lane % 4), i),
            _ => (8 * group + high((lane & 1) + (i & 2)), (i & 4) + (lane & 2) + (i & 1)),
        }
    }

    fn pack(&self, operand: usize, matrix: &Matrix) -> Registers {
        pack(matrix, self.types[operand], self.operands()[operand], &|lane, i| self.place(operand, lane, i))
    }

    fn bench(&self) -> Bench {
        Bench { target: self.target, text: self.text(), operands: self.operands().to_vec() }
    }

    fn run(&self, a: &Matrix, b: &Matrix, c: &Matrix) -> Registers {
        let operands = [vec![[0; 32]; self.operands()[0].0], self.pack(1, a), self.pack(2, b), self.pack(3, c)];
        self.bench().run(&operands, None).unwrap_or_else(|e| panic!("{}: {e}", self.text()))
    }

    fn multiply(&self) -> fn(i64, i64) -> i64 {
        if self.after.starts_with(".xor") { |a, b| a ^ b } else { |a, b| a * b }
    }

    /// Random matrices, in the register file, and the product.
    fn check(&self, rng: &mut SplitMix) {
        let (m, n, k) = self.shape;
        let groups = if self.quads() { 4 } else { 1 };
        let a = matrix(groups * m, k, self.types[1], rng);
        let b = matrix(k, groups * n, self.types[2], rng);
        let c = matrix(groups * m, n, self.types[3], rng);
        let mut d = Vec::new();
        for group in 0..groups {
            let part: Matrix = b.iter().map(|row| row[group * n..(group + 1) * n].to_vec()).collect();
            d.extend(product(
                &a[group * m..(group + 1) * m].to_vec(),
                &part,
                &c[group * m..(group + 1) * m].to_vec(),
                self.multiply(),
            ));
        }
        assert_eq!(self.run(&a, &b, &c), self.pack(0, &d), "{}", self.text());
    }
}

/// All dense forms of sm_80 to sm_90a.
fn all() -> Vec<Form> {
    let mut forms = Vec::new();
    let mut add = |targets: &[&'static str], shape, types| {
        forms.extend(targets.iter().map(|target| Form::new(target, shape, types)));
    };
    let every = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"];
    for shape in [(16, 8, 8), (16, 8, 16)] {
        add(&every, shape, ["f16", "f16", "f16", "f16"]);
        add(&every, shape, ["f32", "f16", "f16", "f32"]);
        add(&every, shape, ["f32", "bf16", "bf16", "f32"]);
    }
    for shape in [(16, 8, 4), (16, 8, 8)] {
        add(&every, shape, ["f32", "tf32", "tf32", "f32"]);
    }
    for (shape, d) in [((16, 8, 16), "f32"), ((16, 8, 32), "f32"), ((16, 8, 16), "f16"), ((16, 8, 32), "f16")] {
        for (a, b) in [("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")] {
            add(&["sm_89", "sm_90", "sm_90a"], shape, [d, a, b, d]);
        }
    }
    let pairs = |s, u| [(s, s), (s, u), (u, s), (u, u)];
    for shape in [(8, 8, 16), (16, 8, 16), (16, 8, 32)] {
        pairs("s8", "u8").into_iter().for_each(|(a, b)| add(&["sm_80", "sm_90"], shape, ["s32", a, b, "s32"]));
    }
    for shape in [(8, 8, 32), (16, 8, 32), (16, 8, 64)] {
        pairs("s4", "u4").into_iter().for_each(|(a, b)| add(&["sm_80", "sm_90"], shape, ["s32", a, b, "s32"]));
    }
    add(&["sm_80", "sm_90"], (8, 8, 4), ["f64"; 4]);
    for shape in [(16, 8, 4), (16, 8, 8), (16, 8, 16)] {
        add(&["sm_90"], shape, ["f64"; 4]);
    }
    for layouts in [".row.col", ".row.row", ".col.col", ".col.row"] {
        for (d, c) in [("f16", "f16"), ("f32", "f16"), ("f32", "f32")] {
            for target in ["sm_70", "sm_75", "sm_80", "sm_90"] {
                forms.push(Form { layouts, ..Form::new(target, (8, 8, 4), [d, "f16", "f16", c]) });
            }
        }
    }
    for shape in [(8, 8, 128), (16, 8, 128), (16, 8, 256)] {
        for after in [".xor.popc", ".and.popc"] {
            for target in ["sm_80", "sm_90"] {
                forms.push(Form { after, ..Form::new(target, shape, ["s32", "b1", "b1", "s32"]) });
            }
        }
    }
    forms
}

#[test]
fn every_form_is_a_matrix_product() {
    let mut rng = SplitMix(1);
    let forms = all();
    assert!(forms.len() > 170, "{}", forms.len());
    for form in &forms {
        (0..2).for_each(|_| form.check(&mut rng));
    }
}

/// Operand, type, shape; lane, register and element of one 1; its row and column by the tables of the
/// manual.
type Case = (usize, &'static str, (usize, usize, usize), [usize; 3], (usize, usize));

#[test]
fn one_element_of_a_is_a_row_of_d() {
    #[rustfmt::skip]
    let cases: [Case; 16] = [
        (1, "f16", (16, 8, 16), [5, 3, 1], (9, 11)), (1, "f16", (16, 8, 16), [30, 0, 0], (7, 4)),
        (1, "f16", (16, 8, 8), [18, 1, 1], (12, 5)), (2, "f16", (16, 8, 16), [7, 1, 0], (14, 1)),
        (2, "f16", (16, 8, 8), [31, 0, 1], (7, 7)), (1, "tf32", (16, 8, 8), [6, 2, 0], (1, 6)),
        (1, "tf32", (16, 8, 4), [29, 1, 0], (15, 1)), (2, "tf32", (16, 8, 8), [9, 1, 0], (5, 2)),
        (1, "s8", (16, 8, 32), [14, 3, 2], (11, 26)), (1, "s8", (16, 8, 16), [3, 1, 3], (8, 15)),
        (2, "s8", (16, 8, 32), [10, 1, 1], (25, 2)), (1, "s4", (16, 8, 64), [1, 2, 5], (0, 45)),
        (2, "s4", (16, 8, 64), [27, 1, 7], (63, 6)), (1, "b1", (16, 8, 256), [2, 3, 9], (8, 201)),
        (1, "f64", (16, 8, 16), [4, 5, 0], (9, 8)), (2, "f64", (16, 8, 16), [31, 3, 0], (15, 7)),
    ];
    for (operand, ty, shape, [lane, register, element], (row, column)) in cases {
        let target = if ty == "f64" { "sm_90" } else { "sm_80" };
        let d = match ty {
            "f64" => "f64",
            "s8" | "s4" | "b1" => "s32",
            _ => "f32",
        };
        let after = if ty == "b1" { ".and.popc" } else { "" };
        let form = Form { after, ..Form::new(target, shape, [d, ty, ty, d]) };
        let (m, n, k) = shape;
        let mut operands: Vec<Registers> = form.operands().iter().map(|&(n, _)| vec![[0; 32]; n]).collect();
        operands[operand][register][lane] = encode(ty, 1) << (element as u32 * bits(ty));
        // The other operand has ones only where it meets that element.
        let mut d = vec![vec![0; n]; m];
        if operand == 1 {
            let b: Matrix = (0..k).map(|at| vec![i64::from(at == column); n]).collect();
            operands[2] = form.pack(2, &b);
            d[row] = vec![1; n];
        } else {
            let a: Matrix = (0..m).map(|_| (0..k).map(|at| i64::from(at == row)).collect()).collect();
            operands[1] = form.pack(1, &a);
            d.iter_mut().for_each(|r| r[column] = 1);
        }
        assert_eq!(form.bench().run(&operands, None).unwrap(), form.pack(0, &d), "{} {operand}", form.text());
    }
}

#[test]
fn integers_wrap_or_are_clamped() {
    for (before, want) in [("", i64::from(i32::MIN) + 99), (".satfinite", i64::from(i32::MAX))] {
        let form = Form { before, ..Form::new("sm_80", (16, 8, 32), ["s32", "s8", "s8", "s32"]) };
        let mut a = vec![vec![0; 32]; 16];
        a[3][0] = 100;
        let mut b = vec![vec![0; 8]; 32];
        b[0] = vec![1; 8];
        let mut c = vec![vec![0; 8]; 16];
        c[3] = vec![i64::from(i32::MAX); 8];
        let mut d = vec![vec![0; 8]; 16];
        d[3] = vec![want; 8];
        assert_eq!(form.run(&a, &b, &c), form.pack(0, &d), "{before}");
    }
}

#[test]
fn roundings_of_binary64_are_used() {
    let tiny = (-60f64).exp2();
    for (before, want) in [("", 1.0), (".rn", 1.0), (".rz", 1.0), (".rm", 1.0), (".rp", 1.0 + f64::EPSILON)] {
        let form = Form { before, ..Form::new("sm_90", (8, 8, 4), ["f64"; 4]) };
        let ones = vec![[1f64.to_bits(); 32]];
        let operands = [vec![[0; 32]; 2], vec![[tiny.to_bits(); 32]], ones.clone(), vec![ones[0], ones[0]]];
        // Four products: the first one makes the sum odd where it rounds up.
        let want = if want > 1.0 { 1.0 + 4.0 * f64::EPSILON } else { want };
        assert_eq!(form.bench().run(&operands, None).unwrap(), vec![[want.to_bits(); 32]; 2], "{before}");
    }
}

#[test]
fn the_sm_decides_the_length_of_a_block() {
    // 2^24 + 1 + 1, the ones in different halves of k: sm_80 rounds in between.
    let form = Form::new("sm_80", (16, 8, 16), ["f32", "f16", "f16", "f32"]);
    let mut a = vec![vec![0; 16]; 16];
    (a[2][0], a[2][8]) = (1, 1);
    let operands = [
        vec![[0; 32]; 4],
        form.pack(1, &a),
        form.pack(2, &vec![vec![1; 8]; 16]),
        form.pack(3, &vec![vec![1 << 24; 8]; 16]),
    ];
    for (sm, want) in [(None, 1 << 24), (Some(89), 1 << 24), (Some(90), (1 << 24) + 2)] {
        let mut d = vec![vec![1 << 24; 8]; 16];
        d[2] = vec![want; 8];
        assert_eq!(form.bench().run(&operands, sm).unwrap(), form.pack(0, &d), "{sm:?}");
    }
}

#[test]
fn m8n8k4_of_halves_is_a_chain_of_scalars() {
    // Each group of four lanes has the same product: row 0 of A times column 0 of B plus C.
    let run = |d: &'static str, row: [u64; 4], c: u64| {
        let form = Form::new("sm_80", (8, 8, 4), [d, "f16", "f16", d]);
        let a = vec![[row[0] | row[1] << 16; 32], [row[2] | row[3] << 16; 32]];
        let one = encode("f16", 1);
        let b = vec![[one | one << 16; 32]; 2];
        let (count, _) = form.operands()[0];
        let c = if d == "f16" { c | c << 16 } else { c };
        let found = form.bench().run(&[vec![[0; 32]; count], a, b, vec![[c; 32]; count]], None).unwrap();
        found[0][0] & if d == "f16" { 0xffff } else { 0xffff_ffff }
    };
    let one = encode("f16", 1);
    // C comes last: 2^24 + 4, where a chain from C would stay at 2^24.
    assert_eq!(run("f32", [one; 4], encode("f32", 1 << 24)), encode("f32", (1 << 24) + 4));
    // One rounding to binary16: 2048 + 1 + 2^-11 rounds up, the tie 2048 + 1 to even.
    assert_eq!(run("f16", [one, 0x1000, 0, 0], encode("f16", 2048)), encode("f16", 2050));
    assert_eq!(run("f16", [one, 0, 0, 0], encode("f16", 2048)), encode("f16", 2048));
    // Products of -0: a chain that begins with a product keeps the sign, one from +0 does not.
    assert_eq!(run("f16", [0x8000; 4], 0x8000), 0x8000);
    assert_eq!(run("f32", [0x8000; 4], 0x8000_0000), 0);
}

#[test]
fn eight_bit_elements_on_sm_90_are_two_sums_of_halves() {
    let mut rng = SplitMix(3);
    let form = Form::new("sm_90", (16, 8, 16), ["f32", "e4m3", "e4m3", "f32"]);
    // Any encodings but NaN; elements of k mod 4 in {0, 1} first.
    let mut random = || (0..4).fold(0u64, |word, i| word | (rng.next() & 0x77) << (8 * i));
    let a: Registers = (0..2).map(|_| std::array::from_fn(|_| random())).collect();
    let b: Registers = (0..1).map(|_| std::array::from_fn(|_| random())).collect();
    let c: Registers = (0..4).map(|_| std::array::from_fn(|_| u64::from((random() as f32).to_bits()))).collect();
    let found = form.bench().run(&[vec![[0; 32]; 4], a.clone(), b.clone(), c.clone()], None).unwrap();
    let halves = |registers: &Registers, second: bool| -> Registers {
        let half = |word: u64, i: u32| to_float(&E4M3, &F16, word >> (8 * i) & 0xff, Mode::RN, false);
        let first = if second { 2 } else { 0 };
        registers.iter().map(|lanes| lanes.map(|w| half(w, first) | half(w, first + 1) << 16)).collect()
    };
    let product = Form::new("sm_90", (16, 8, 8), ["f32", "f16", "f16", "f32"]);
    let zero: Registers = vec![[0; 32]; 4];
    let first = product.bench().run(&[zero.clone(), halves(&a, false), halves(&b, false), zero.clone()], None).unwrap();
    let sum = product.bench().run(&[zero, halves(&a, true), halves(&b, true), first], None).unwrap();
    let added = |r: usize, lane: usize| {
        u64::from((f32::from_bits(sum[r][lane] as u32) + f32::from_bits(c[r][lane] as u32)).to_bits())
    };
    let want: Registers = (0..4).map(|r| std::array::from_fn(|lane| added(r, lane))).collect();
    assert_eq!(found, want);
}

#[test]
fn eight_bit_elements_of_each_sum_are_known() {
    // Two large products of k 0 and 1 cancel; a one in the same sum is cut, one in the other is not.
    for (target, at, want) in [("sm_90", 2, 1), ("sm_90", 4, 0), ("sm_90", 7, 1), ("sm_90", 13, 0), ("sm_89", 2, 0)] {
        let form = Form::new(target, (16, 8, 16), ["f32", "e5m2", "e5m2", "f32"]);
        let (mut a, mut b) = (vec![vec![0; 16]; 16], vec![vec![1; 8]; 16]);
        (a[0][0], a[0][1], a[0][at]) = (1 << 15, -(1 << 15), 1);
        (b[0], b[1]) = (vec![1 << 15; 8], vec![1 << 15; 8]);
        let mut d = vec![vec![0; 8]; 16];
        d[0] = vec![want; 8];
        assert_eq!(form.run(&a, &b, &vec![vec![0; 8]; 16]), form.pack(0, &d), "{target} {at}");
    }
}

#[test]
fn undefined_inputs_make_their_row_or_column_undefined() {
    // A register of lane 6 is never written: row 1 of A is undefined, and a branch on its results is
    // an error; row 0 is not.
    let text = |row: u32| {
        let form = Form::new("sm_80", (16, 8, 8), ["f32", "f16", "f16", "f32"]);
        let bench = Bench {
            text: format!(
                ".reg .b32 %u; .reg .pred %q; setp.eq.u32 %q, %t, 6; @!%q mov.b32 %u, 0; \
                 mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 $0, {{%u, %x1_1}}, $2, $3; \
                 setp.eq.u32 %q, %t, {}; @!%q bra E; setp.eq.f32 %q, %x0_0, 0f00000000; @%q bra E; trap; \
                 E: mov.b32 %x0_0, 0; mov.b32 %x0_1, 0;",
                4 * row
            ),
            ..form.bench()
        };
        bench.run(&form.operands().iter().map(|&(n, _)| vec![[0; 32]; n]).collect::<Vec<_>>(), None)
    };
    assert!(text(0).is_ok());
    assert!(matches!(text(1), Err(FailureKind::UndefinedBranch)), "{:?}", text(1));
}

#[test]
fn all_lanes_take_part() {
    let form = Form::new("sm_80", (16, 8, 8), ["f32", "f16", "f16", "f32"]);
    let bench =
        Bench { text: format!(".reg .pred %q; setp.eq.u32 %q, %t, 9; @%q exit; {}", form.text()), ..form.bench() };
    let failed = bench.run(&form.operands().iter().map(|&(n, _)| vec![[0; 32]; n]).collect::<Vec<_>>(), None);
    let Err(FailureKind::Convergence(text)) = failed else { panic!("{failed:?}") };
    assert!(text.contains("mma needs all 32 lanes") && text.contains("31 take part"), "{text}");
    let form = Form::new("sm_120", (16, 8, 8), ["f32", "f16", "f16", "f32"]);
    let failed = form.bench().run(&form.operands().iter().map(|&(n, _)| vec![[0; 32]; n]).collect::<Vec<_>>(), None);
    let Err(FailureKind::Unsupported(text)) = failed else { panic!("{failed:?}") };
    assert!(text.contains("k, line ") && text.contains("mma.sync") && text.contains("sm_120"), "{text}");
}
