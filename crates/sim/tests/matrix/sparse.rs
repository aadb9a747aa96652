//! `mma.sp`: products with a sparse A.

use super::bench::{Bench, Matrix, Registers, bits, encode, matrix, pack, product, random};
use raddle_entity::SplitMix;

/// A form: targets, k, types of D, A, B, and how lanes hold the metadata.
struct Form {
    target: &'static str,
    k: usize,
    types: [&'static str; 3],
    selectors: u32,
}

/// The forms of sm_80 to sm_90a.
fn all() -> Vec<Form> {
    let mut forms = Vec::new();
    for target in ["sm_80", "sm_89", "sm_90"] {
        let mut add = |k, types, selectors| forms.push(Form { target, k, types, selectors });
        for (k, selectors) in [(16, 4), (32, 2)] {
            add(k, ["f16", "f16", "f16"], selectors);
            add(k, ["f32", "f16", "f16"], selectors);
            add(k, ["f32", "bf16", "bf16"], selectors);
            add(k / 2, ["f32", "tf32", "tf32"], selectors);
        }
        for (a, b) in [("s", "s"), ("s", "u"), ("u", "s"), ("u", "u")] {
            for (k, selectors) in [(32, 2), (64, 1)] {
                let ty = |sign: &str, bits| match (sign, bits) {
                    ("s", 8) => "s8",
                    ("u", 8) => "u8",
                    ("s", _) => "s4",
                    _ => "u4",
                };
                add(k, ["s32", ty(a, 8), ty(b, 8)], selectors);
                add(2 * k, ["s32", ty(a, 4), ty(b, 4)], selectors);
            }
        }
        if target != "sm_80" {
            for (a, b) in [("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")] {
                add(64, ["f32", a, b], 1);
            }
        }
    }
    forms
}

/// A sparse matrix: what is kept of each row, in order, the whole row, and the indices, four bits for
/// each run of dense elements that has them.
struct Rows {
    kept: Matrix,
    dense: Matrix,
    nibbles: Vec<Vec<u32>>,
}

impl Rows {
    fn random(k: usize, ty: &str, rng: &mut SplitMix) -> Rows {
        let mut rows = Rows { kept: Vec::new(), dense: Vec::new(), nibbles: Vec::new() };
        // Elements that an index counts, and the run that it chooses from.
        let (unit, run) = match ty {
            "tf32" => (1, 2),
            "s4" | "u4" => (2, 8),
            _ => (1, 4),
        };
        for _ in 0..16 {
            let (mut kept, mut dense, mut nibbles) = (Vec::new(), vec![0; k], Vec::new());
            for first in (0..k).step_by(run) {
                let choices: &[(u32, u32)] =
                    if ty == "tf32" { &[(0, 1), (2, 3)] } else { &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] };
                let (low, high) = choices[rng.next() as usize % choices.len()];
                nibbles.push(low | high << 2);
                let places: Vec<usize> = match ty {
                    "tf32" => vec![low as usize / 2],
                    _ => [low, high].iter().flat_map(|&i| (0..unit).map(move |e| i as usize * unit + e)).collect(),
                };
                for place in places {
                    let value = random(ty, rng);
                    kept.push(value);
                    dense[first + place] = value;
                }
            }
            rows.kept.push(kept);
            rows.dense.push(dense);
            rows.nibbles.push(nibbles);
        }
        rows
    }

    /// The metadata register, with `selector`; the rest of it is filled with ones.
    ///
    /// For 16 and 32 bits a word has sixteen dense elements (eight of 32 bits) of a row `g` and then
    /// of row `g + 8`; for less, a lane has one row, half of it where four lanes are used.
    fn metadata(&self, form: &Form, selector: u32) -> [u64; 32] {
        let mut words = [u64::MAX >> 32; 32];
        let wide = bits(form.types[1]) >= 16;
        let lanes = (4 / form.selectors) as usize;
        for group in 0..8 {
            for n in 0..lanes {
                let of = |row: usize, from: usize, count: usize| -> u64 {
                    let nibbles = &self.nibbles[row][from..from + count];
                    nibbles.iter().rev().fold(0, |word, &nibble| word << 4 | u64::from(nibble))
                };
                let word = match (wide, lanes) {
                    (true, _) => of(group, 4 * n, 4) | of(group + 8, 4 * n, 4) << 16,
                    (false, _) => of(group + 8 * (n % 2), 8 * (n / 2), 8),
                };
                words[4 * group + selector as usize * lanes + n] = word;
            }
        }
        words
    }
}

impl Form {
    fn check(&self, ordered: bool, selector: u32, rng: &mut SplitMix) {
        let (k, [d_ty, a_ty, b_ty]) = (self.k, self.types);
        let a = Rows::random(k, a_ty, rng);
        let (b, c) = (matrix(k, 8, b_ty, rng), matrix(16, 8, d_ty, rng));
        let d = product(&a.dense, &b, &c, |x, y| x * y);
        self.compare(ordered, selector, (&a, &b, &c), &d);
    }

    fn compare(&self, ordered: bool, selector: u32, (a, b, c): (&Rows, &Matrix, &Matrix), d: &Matrix) {
        let (k, [d_ty, a_ty, b_ty]) = (self.k, self.types);
        let run = 32 / bits(a_ty) as usize;
        let of_a = |lane: usize, i: usize| {
            (lane / 4 + 8 * (i / run % 2), lane % 4 * run + i % run + (i / (2 * run)) * 4 * run)
        };
        let of_b = |lane: usize, i: usize| (lane % 4 * run + i % run + (i / run) * 4 * run, lane / 4);
        let of_c = |lane: usize, i: usize| (lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2);
        let registers_of_c = if d_ty == "f16" { 2 } else { 4 };
        let operands =
            vec![(registers_of_c, 32), (k / 2 / run / 2, 32), (k / run / 4, 32), (registers_of_c, 32), (1, 32)];
        let sp = if ordered { "sp::ordered_metadata" } else { "sp" };
        let text = format!(
            "mma.{sp}.sync.aligned.m16n8k{k}.row.col.{d_ty}.{a_ty}.{b_ty}.{d_ty} $0, $1, $2, $3, %x4_0, {selector};"
        );
        let inputs: Vec<Registers> = vec![
            vec![[0; 32]; registers_of_c],
            pack(&a.kept, a_ty, operands[1], &of_a),
            pack(b, b_ty, operands[2], &of_b),
            pack(c, d_ty, operands[3], &of_c),
            vec![a.metadata(self, selector)],
        ];
        let want = pack(d, d_ty, operands[0], &of_c);
        let bench = Bench { target: self.target, text, operands };
        let found = bench.run(&inputs, None).unwrap_or_else(|e| panic!("{e}\n{}", bench.text));
        assert_eq!(found, want, "{} {}", self.target, bench.text);
    }
}

#[test]
fn every_form_is_a_matrix_product() {
    let mut rng = SplitMix(6);
    let forms = all();
    assert_eq!(forms.len(), 80);
    for form in &forms {
        for selector in 0..form.selectors {
            form.check(selector % 2 == 1, selector, &mut rng);
            form.check(selector % 2 == 0, selector, &mut rng);
        }
    }
}

#[test]
fn eight_bit_elements_on_sm_90_are_summed_by_even_and_odd_runs() {
    // Two large products of the first run of four cancel; a one in an even run is cut.
    for (run, want) in [(1, 1), (2, 0), (15, 1), (14, 0)] {
        let form = Form { target: "sm_90", k: 64, types: ["f32", "e5m2", "e5m2"], selectors: 1 };
        let mut rows = Rows { kept: vec![vec![0; 32]; 16], dense: Vec::new(), nibbles: vec![vec![0b0100; 16]; 16] };
        (rows.kept[5][0], rows.kept[5][1], rows.kept[5][2 * run]) = (1 << 15, -(1 << 15), 1);
        let mut b = vec![vec![1; 8]; 64];
        (b[0], b[1]) = (vec![1 << 15; 8], vec![1 << 15; 8]);
        let mut d = vec![vec![0; 8]; 16];
        d[5] = vec![want; 8];
        form.compare(true, 0, (&rows, &b, &vec![vec![0; 8]; 16]), &d);
    }
}

#[test]
fn invalid_metadata_makes_a_row_undefined() {
    // Both indices are 1 in row 2.
    let text = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 $0, $1, $2, $3, %x4_0, 0; \
                .reg .pred %q; setp.eq.u32 %q, %t, $L; @!%q bra E; setp.eq.f32 %q, %x0_0, 0f00000000; @%q bra E; trap; \
                E: mov.b32 %x0_0, 0; mov.b32 %x0_1, 0; mov.b32 %x0_2, 0; mov.b32 %x0_3, 0;";
    for (lane, defined) in [(4, true), (8, false)] {
        let operands = vec![(4, 32), (2, 32), (2, 32), (4, 32), (1, 32)];
        let mut inputs: Vec<Registers> = operands.iter().map(|&(n, _)| vec![[0; 32]; n]).collect();
        inputs[1] = vec![[encode("f16", 0); 32]; 2];
        inputs[4] = vec![std::array::from_fn(|l| if l / 4 == 2 { 0x4444_4445 } else { 0x4444_4444 })];
        let bench = Bench { target: "sm_80", text: text.replace("$L", &lane.to_string()), operands };
        assert_eq!(bench.run(&inputs, None).is_ok(), defined, "{lane}");
    }
}
