//! `wmma`: loads, products and stores of every form.

use super::bench::{Matrix, bits, encode, matrix, product, run};
use raddle_entity::SplitMix;

/// A form of `wmma`.
struct Form {
    shape: (usize, usize, usize),
    /// Types of A and B, C, D.
    types: [&'static str; 3],
    /// Registers of A, B, C, D.
    registers: [usize; 4],
    before: &'static str,
    after: &'static str,
}

fn all() -> Vec<Form> {
    let mut forms = Vec::new();
    let mut add = |shape, types, registers| forms.push(Form { shape, types, registers, before: "", after: "" });
    for shape in [(16, 16, 16), (32, 8, 16), (8, 32, 16)] {
        for (c, d) in [("f16", "f16"), ("f32", "f16"), ("f16", "f32"), ("f32", "f32")] {
            let of = |ty| if ty == "f16" { 4 } else { 8 };
            add(shape, ["f16", c, d], [8, 8, of(c), of(d)]);
        }
        let (m, n, _) = shape;
        add(shape, ["bf16", "f32", "f32"], [m / 4, n / 4, 8, 8]);
        for ty in ["s8", "u8"] {
            add(shape, [ty, "s32", "s32"], [m / 8, n / 8, 8, 8]);
        }
    }
    add((16, 16, 8), ["tf32", "f32", "f32"], [4, 4, 8, 8]);
    add((8, 8, 4), ["f64"; 3], [1, 1, 2, 2]);
    for ty in ["s4", "u4"] {
        add((8, 8, 32), [ty, "s32", "s32"], [1, 1, 2, 2]);
    }
    for before in [".xor.popc", ".and.popc"] {
        forms.push(Form {
            shape: (8, 8, 128),
            types: ["b1", "s32", "s32"],
            registers: [1, 1, 2, 2],
            before,
            after: "",
        });
    }
    forms
}

/// A matrix in memory, with this many elements from a row, or column, to the next.
fn lay(matrix: &Matrix, ty: &str, by_rows: bool, stride: usize) -> Vec<u8> {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    let lines = if by_rows { rows } else { columns };
    let mut bytes = vec![0xa5; lines * stride * bits(ty) as usize / 8];
    for (i, row) in matrix.iter().enumerate() {
        for (j, &value) in row.iter().enumerate() {
            let at = if by_rows { i * stride + j } else { j * stride + i } * bits(ty) as usize;
            let word = encode(ty, value);
            for bit in 0..bits(ty) as usize {
                let (byte, mask) = (&mut bytes[(at + bit) / 8], 1 << ((at + bit) % 8));
                *byte = if word >> bit & 1 == 1 { *byte | mask } else { *byte & !mask };
            }
        }
    }
    bytes
}

fn vector(name: &str, count: usize) -> String {
    format!("{{{}}}", (0..count).map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(", "))
}

impl Form {
    fn check(&self, target: &str, majors: [bool; 4], wide: bool, rng: &mut SplitMix) {
        let ((m, n, k), [ab, c_ty, d_ty]) = (self.shape, self.types);
        let (a, b) = (matrix(m, k, ab, rng), matrix(k, n, ab, rng));
        let mut c = matrix(m, n, c_ty, rng);
        let clamped = self.after == ".satfinite";
        if clamped {
            c = vec![vec![i64::from(i32::MAX); n]; m];
        }
        let mut d = product(&a, &b, &c, if self.before.starts_with(".xor") { |x, y| x ^ y } else { |x, y| x * y });
        if clamped {
            assert!(d.iter().flatten().any(|&x| x > i64::from(i32::MAX)), "something overflows");
            d.iter_mut().flatten().for_each(|x| *x = (*x).min(i64::from(i32::MAX)));
        }
        let blank = vec![vec![0; n]; m];
        let parts = [(&a, ab), (&b, ab), (&c, c_ty), (&blank, d_ty)];
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for ((matrix, ty), by_rows) in parts.into_iter().zip(majors) {
            let length = if by_rows { matrix[0].len() } else { matrix.len() };
            // A longer line, still of whole words.
            let stride = if wide { length + 32 } else { length };
            places.push((bytes.len(), if wide { format!(", {stride}") } else { String::new() }, stride));
            bytes.extend(lay(matrix, ty, by_rows, stride));
            bytes.resize(bytes.len().next_multiple_of(32), 0);
        }
        let major = |by_rows: bool| if by_rows { "row" } else { "col" };
        let [ra, rb, rc, rd] = self.registers;
        let width = bits(d_ty).max(32);
        let shape = format!("m{m}n{n}k{k}");
        let mut body =
            format!(".reg .b{w} %a<8>; .reg .b{w} %b<8>; .reg .b{width} %c<8>, %d<8>;\n", w = bits(ab).max(32));
        for (i, (name, count, ty)) in [("a", ra, ab), ("b", rb, ab), ("c", rc, c_ty)].into_iter().enumerate() {
            let (at, stride, _) = &places[i];
            let registers = vector(name, count);
            body += &format!(
                "wmma.load.{name}.sync.aligned.{}.{shape}.global.{ty} {registers}, [%p+{at}]{stride};\n",
                major(majors[i])
            );
        }
        let types = if ab == "f16" { format!(".{d_ty}.{c_ty}") } else { format!(".{d_ty}.{ab}.{ab}.{c_ty}") };
        body += &format!(
            "wmma.mma{}.sync.aligned.{}.{}.{shape}{types}{} {}, {}, {}, {};\n",
            self.before,
            major(majors[0]),
            major(majors[1]),
            self.after,
            vector("d", rd),
            vector("a", ra),
            vector("b", rb),
            vector("c", rc)
        );
        let (at, stride, elements) = &places[3];
        let registers = vector("d", rd);
        body += &format!(
            "wmma.store.d.sync.aligned.{}.{shape}.global.{d_ty} [%p+{at}], {registers}{stride};\n",
            major(majors[3])
        );
        let text = format!(
            ".version 8.7\n.target {target}\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
             .reg .b64 %p; ld.param.u64 %p, [p];\n{body}ret;\n}}\n"
        );
        let mut want = bytes.clone();
        want.truncate(*at);
        // What lies between the lines is not written.
        let mut stored = lay(&d, d_ty, majors[3], *elements);
        stored.resize(stored.len().next_multiple_of(32), 0);
        want.extend(stored);
        let found = run(&text, bytes, 3, None).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert!(found == want, "{text}");
    }
}

#[test]
fn every_form_is_a_matrix_product() {
    let mut rng = SplitMix(2);
    let forms = all();
    assert_eq!(forms.len(), 27);
    for form in &forms {
        for bits in 0..16 {
            let mut majors = [0, 1, 2, 3].map(|i| bits >> i & 1 == 0);
            if form.types[0] == "s4" || form.types[0] == "u4" || form.types[0] == "b1" {
                (majors[0], majors[1]) = (true, false);
            }
            form.check(if bits % 3 == 0 { "sm_80" } else { "sm_90" }, majors, bits % 2 == 1, &mut rng);
        }
    }
}

#[test]
fn integers_are_clamped() {
    let form = Form {
        shape: (16, 16, 16),
        types: ["s8", "s32", "s32"],
        registers: [2, 2, 8, 8],
        before: "",
        after: ".satfinite",
    };
    form.check("sm_80", [true, false, true, true], false, &mut SplitMix(4));
}

/// Row 0 of A is `a`, column 0 of B is ones, C is `c` everywhere; returns element (0, 0) of D.
fn corner(target: &str, shape: (usize, usize, usize), types: [&str; 3], a: &[i64], c: i64) -> Vec<u8> {
    let ((m, n, k), [ab, c_ty, d_ty]) = (shape, types);
    let mut rows = vec![vec![0; k]; m];
    rows[0][..a.len()].copy_from_slice(a);
    let mut bytes = lay(&rows, ab, true, k);
    let at_b = bytes.len();
    bytes.extend(lay(&vec![vec![1; n]; k], ab, true, n));
    let at_c = bytes.len();
    bytes.extend(lay(&vec![vec![c; n]; m], c_ty, true, n));
    let at_d = bytes.len();
    bytes.resize(at_d + m * n * 4, 0);
    let count = |ty: &str| if ty == "f16" { 4 } else { 8 };
    let of_ab = if ab == "f16" { 8 } else { 4 };
    let (va, vb, vc, vd) = (vector("a", of_ab), vector("b", of_ab), vector("c", count(c_ty)), vector("d", count(d_ty)));
    let types = if ab == "f16" { format!("{d_ty}.{c_ty}") } else { format!("{d_ty}.{ab}.{ab}.{c_ty}") };
    let shape = format!("m{m}n{n}k{k}");
    let text = format!(
        ".version 8.0\n.target {target}\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .b64 %p; .reg .b32 %a<8>, %b<8>, %c<8>, %d<8>; ld.param.u64 %p, [p];\n\
         wmma.load.a.sync.aligned.row.{shape}.global.{ab} {va}, [%p];\n\
         wmma.load.b.sync.aligned.row.{shape}.global.{ab} {vb}, [%p+{at_b}];\n\
         wmma.load.c.sync.aligned.row.{shape}.global.{c_ty} {vc}, [%p+{at_c}];\n\
         wmma.mma.sync.aligned.row.row.{shape}.{types} {vd}, {va}, {vb}, {vc};\n\
         wmma.store.d.sync.aligned.row.{shape}.global.{d_ty} [%p+{at_d}], {vd};\nret;\n}}\n"
    );
    let found = run(&text, bytes, 0, None).unwrap_or_else(|e| panic!("{e}\n{text}"));
    found[at_d..at_d + bits(d_ty) as usize / 8].to_vec()
}

#[test]
fn sums_are_cut_where_ptxas_cuts_them() {
    let single = |x: i64| encode("f32", x).to_le_bytes()[..4].to_vec();
    let half = |x: i64| encode("f16", x).to_le_bytes()[..2].to_vec();
    // tf32: two products of m16n8k4, each rounded, on sm_90 too.
    let big = 1 << 24;
    for target in ["sm_80", "sm_90"] {
        let sum = |a: &[i64]| corner(target, (16, 16, 8), ["tf32", "f32", "f32"], a, big);
        assert_eq!(sum(&[1, 0, 0, 0, 1]), single(big), "{target}");
        assert_eq!(sum(&[1, 0, 0, 1]), single(big + 2), "{target}");
    }
    // C of binary32 and D of binary16: one rounding more, to nearest even, after the sum.
    let sum = |types, c| corner("sm_80", (16, 16, 16), types, &[1], c);
    assert_eq!(sum(["f16", "f32", "f16"], 2048), half(2048));
    assert_eq!(sum(["f16", "f32", "f16"], 2050), half(2052));
    assert_eq!(sum(["f16", "f16", "f32"], 2048), single(2049));
    assert_eq!(sum(["f16", "f16", "f16"], 2050), half(2052));
}

#[test]
fn fragments_are_tiles_of_mma() {
    // A fragment loaded by wmma, multiplied by mma: what ptxas's code does, so that objects of both
    // compilers fit together.
    let mut rng = SplitMix(5);
    let (a, b) = (matrix(16, 16, "f16", &mut rng), matrix(16, 16, "f16", &mut rng));
    let d = product(&a, &b, &vec![vec![0; 16]; 16], |x, y| x * y);
    let mut bytes = lay(&a, "f16", true, 16);
    bytes.extend(lay(&b, "f16", false, 16));
    let at = bytes.len();
    bytes.extend(vec![0; 1024]);
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .b64 %p; .reg .b32 %a<8>, %b<8>, %d<8>; ld.param.u64 %p, [p];\n\
         wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {a}, [%p];\n\
         wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {b}, [%p+512];\n\
         mov.b32 %d0, 0; mov.b32 %d1, 0; mov.b32 %d2, 0; mov.b32 %d3, 0; mov.b32 %d4, 0; mov.b32 %d5, 0; mov.b32 %d6, 0; mov.b32 %d7, 0;\n\
         mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%d0,%d1,%d2,%d3}}, {{%a0,%a1,%a2,%a3}}, {{%b0,%b1}}, {{%d0,%d1,%d2,%d3}};\n\
         mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%d4,%d5,%d6,%d7}}, {{%a4,%a5,%a6,%a7}}, {{%b6,%b7}}, {{%d4,%d5,%d6,%d7}};\n\
         wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%p+{at}], {d};\nret;\n}}\n",
        a = vector("a", 8),
        b = vector("b", 8),
        d = vector("d", 8)
    );
    let found = run(&text, bytes, 1, None).unwrap();
    assert!(found[at..] == lay(&d, "f32", true, 16));
}

#[test]
fn lanes_must_agree_on_address_and_stride() {
    for (address, stride) in [("%q", "16"), ("%p", "%s")] {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
             .reg .b64 %p, %q; .reg .b32 %t, %s, %a<8>; ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; shr.u32 %s, %t, 4;\n\
             mad.wide.u32 %q, %s, 32, %p; add.u32 %s, %s, 16;\n\
             wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {}, [{address}], {stride};\nret;\n}}\n",
            vector("a", 8)
        );
        let failed = run(&text, vec![0; 1024], 0, None).expect_err("a failure").to_string();
        assert!(failed.contains("lane 16 of a wmma transfer"), "{failed}");
    }
}
