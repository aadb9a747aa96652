//! Kernels of real producers: tensor copies, pipelines of mbarrier objects, clusters.

use super::common::{Run, everywhere};
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{AllocId, Memory};

/// Whether the text of a module ran, not its code.
fn is_interpreter(how: &str) -> bool {
    how.starts_with("interpreter")
}

fn producer(file: &str) -> String {
    let path = format!("{}/corpus/producers/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// The half-precision number of an integer below 2048 in absolute value.
fn half(value: i32) -> u16 {
    if value == 0 {
        return 0;
    }
    let magnitude = value.unsigned_abs();
    let exponent = magnitude.ilog2();
    let fraction = (magnitude << (10 - exponent)) & 0x3ff;
    (u16::from(value < 0) << 15) | (exponent as u16 + 15) << 10 | fraction as u16
}

#[test]
fn triton_multiplies_with_tensor_copies_and_warps_of_two_kinds() {
    // All threads store the same words to one place, which the race check does not accept of weak
    // stores.
    let text = producer("triton390/sm120_desc_persistent_fp16_ws.ptx")
        .replace("st.shared.b32 \t[global_smem", "st.relaxed.cta.shared.b32 \t[global_smem")
        .replace("st.shared.v2.b64 \t[global_smem", "st.relaxed.cta.shared.v2.b64 \t[global_smem");
    let (m, n, k) = (256usize, 128usize, 192usize);
    let a = |row: usize, col: usize| ((row * 7 + col * 3) % 5) as i32 - 2;
    let b = |row: usize, col: usize| ((row * 5 + col * 11) % 7) as i32 - 3;
    let matrix = |rows: usize, columns: usize, f: &dyn Fn(usize, usize) -> i32| -> Vec<u8> {
        (0..rows * columns).flat_map(|i| half(f(i / columns, i % columns)).to_le_bytes()).collect()
    };
    let sum = |row: usize, col: usize| (0..k).map(|i| a(row, i) * b(col, i)).sum::<i32>();
    let expected = matrix(m, n, &sum);
    everywhere(&text, 1, |how, run| {
        let mut mem = Memory::new();
        let buffers =
            [matrix(m, k, &a), matrix(n, k, &b), vec![0; 2 * m * n]].map(|data| mem.add("matrix", data, true));
        let scratch = mem.add("scratch", vec![0; 4096], true);
        let number = |v: usize| Arg::u32(v as u32);
        let mut launch = Launch::new("matmul_desc_persistent");
        launch.grid = Dim3::from(2);
        launch.block = Dim3::from(256);
        launch.dyn_shared = 140 << 10;
        launch.args = buffers.map(Arg::Buffer).to_vec();
        launch.args.extend([number(m), number(n), number(k), Arg::Buffer(scratch), Arg::Null]);
        // The sums are exact on any machine.
        run(&launch, &mut mem).unwrap_or_else(|failure| panic!("{how}: {failure}"));
        assert!(mem.read_back(buffers[2]).unwrap() == expected, "{how}");
    });
}

/// A launch of a kernel that doubles a tile of 32 x 32 of a tensor of 64 x 64 floats; with the tensor and
/// the buffer for the tile.
fn tiles(mem: &mut Memory) -> (Launch, AllocId, AllocId) {
    let data = (0..64 * 64).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let tensor = mem.add("tensor", data, true);
    let out = mem.add("out", vec![0; 4 * 1024], true);
    let mut map = [0u8; 128];
    map[..8].copy_from_slice(&mem.base(tensor).to_le_bytes());
    map[8..12].copy_from_slice(&(1u32 << 4 | 7 << 7).to_le_bytes());
    map[12..16].copy_from_slice(&(256u32 >> 4).to_le_bytes());
    map[0x20..0x24].copy_from_slice(&63u32.to_le_bytes());
    map[0x24..0x28].copy_from_slice(&63u32.to_le_bytes());
    (map[0x37], map[0x38]) = (31, 31);
    let mut launch = Launch::new("tma");
    launch.grid = Dim3::from(1);
    launch.block = Dim3::from(1024);
    launch.args = vec![Arg::Value(map.to_vec()), Arg::Buffer(out), Arg::u32(0)];
    (launch, tensor, out)
}

#[test]
fn nvcc_copies_tiles_of_a_tensor() {
    let text = producer("nvrtc/n4_90a_fast.ptx");
    everywhere(&text, 4, |how, run| {
        let mut mem = Memory::new();
        let (launch, tensor, out) = tiles(&mut mem);
        run(&launch, &mut mem).unwrap_or_else(|failure| panic!("{how}: {failure}"));
        let doubled = |i: u32| (2.0 * (i / 32 * 64 + i % 32) as f32).to_bits();
        assert_eq!(words(mem.read_back(out).unwrap()), (0..1024).map(doubled).collect::<Vec<_>>());
        let stored = words(mem.read_back(tensor).unwrap());
        assert_eq!((stored[65], stored[33]), (130f32.to_bits(), 33f32.to_bits()));
    });
}

#[test]
fn nvcc_reads_shared_memory_of_the_other_block() {
    let text = producer("nvrtc/n4_90a_fast.ptx");
    everywhere(&text, 4, |how, run| {
        let mut mem = Memory::new();
        let out = mem.add("out", vec![0; 4 * 256], true);
        let mut launch = Launch::new("clus");
        launch.grid = Dim3::from(4);
        launch.block = Dim3::from(64);
        launch.args = vec![Arg::Buffer(out)];
        run(&launch, &mut mem).unwrap_or_else(|failure| panic!("{how}: {failure}"));
        assert_eq!(
            words(mem.read_back(out).unwrap()),
            (0..256).map(|i| ((i % 64) as f32).to_bits()).collect::<Vec<_>>()
        );
    });
}

#[test]
fn nvcc_runs_a_pipeline_of_copies() {
    let text = producer("nvrtc/n2_120a.ptx");
    let with = |run: Run<'_>| {
        let mut mem = Memory::new();
        let input = mem.add("in", (0..1u32 << 13).flat_map(u32::to_le_bytes).collect(), true);
        let out = mem.add("out", vec![0; 4 << 13], true);
        let mut launch = Launch::new("pipe");
        launch.block = Dim3::from(256);
        launch.args = vec![Arg::Buffer(input), Arg::Buffer(out), Arg::u32(8)];
        run(&launch, &mut mem).map_err(|failure| failure.to_string())?;
        Ok::<_, String>(words(mem.read_back(out).unwrap()))
    };
    // Seven of eight stages are consumed; the objects of the last one end while its copies are under
    // way.
    everywhere(&text, 2, |how, run| {
        let found = with(run).unwrap_err();
        let arrive = if is_interpreter(how) { "cp.async.mbarrier.arrive" } else { "ARRIVES.LDGSTSBAR" };
        assert!(found.contains("invalidated before") && found.contains(arrive), "{how}: {found}");
    });
    let text = text.replace("mbarrier.inval.shared.b64", "// ");
    let expected: Vec<u32> = (0..1 << 13).map(|i| if i < 7 << 10 { i ^ 4 } else { 0 }).collect();
    everywhere(&text, 2, |how, run| assert_eq!(with(run), Ok(expected.clone()), "{how}"));
}

#[test]
fn mistakes_in_a_real_program_are_found() {
    let text = producer("nvrtc/n4_90a_fast.ptx");
    let (head, rest) = text.split_once(".visible .entry tma(").unwrap();
    let (kernel, _) = rest.split_once(".visible .entry clus(").unwrap();
    let kernel = format!("{head}.visible .entry tma({kernel}").replace("\t// .globl\tclus", "");
    let fence = "fence.proxy.async.shared::cta;";
    let wait = "mbarrier.try_wait.shared.b64 p, [%r17], %rd35;";
    let mistakes = [
        (fence, "", "without fence.proxy.async", "without a proxy fence"),
        ("cp.async.bulk.wait_group.read 0;", "", "nothing has waited for it", "nothing has waited for it"),
        ("mov.u32 \t%r14, 4096;", "mov.u32 \t%r14, 4112;", "tx-count 16", "tx-count 16"),
        ("mov.u32 \t%r8, 1;", "mov.u32 \t%r8, 2;", "2 arrival(s)", "shared"),
        (wait, "mov.pred p, 1;", "asynchronous write is not ordered", "asynchronous"),
        ("cp.async.bulk.commit_group;", "", "nothing has waited for it", "nothing has waited for it"),
    ];
    for (right, wrong, finding, in_code) in mistakes {
        assert!(kernel.contains(right), "{right}");
        everywhere(&kernel.replace(right, wrong), 1, |how, run| {
            let mut mem = Memory::new();
            let launch = tiles(&mut mem).0;
            let found = run(&launch, &mut mem).expect_err(right);
            let finding = if is_interpreter(how) { finding } else { in_code };
            assert!(found.to_string().contains(finding), "{how}: {right}: {found}");
        });
    }
}

/// A matrix of small integers.
fn integers<T, const N: usize>(rows: usize, columns: usize, step: usize, of: impl Fn(i32) -> [T; N]) -> Vec<T> {
    (0..rows * columns).flat_map(|i| of(((i * step + i / columns) % 5) as i32 - 2)).collect()
}

/// Products of rows of integers, `[rows, columns]` of two matrices.
fn sums(
    rows: usize,
    columns: usize,
    depth: usize,
    a: impl Fn(usize) -> i32,
    b: impl Fn(usize, usize) -> i32,
) -> Vec<i32> {
    let one = |i: usize| (0..depth).map(|k| a(i / columns * depth + k) * b(k, i % columns)).sum();
    (0..rows * columns).map(one).collect()
}

#[test]
fn triton_multiplies_with_products_of_warpgroups_and_clusters() {
    let bf16 = |v: i32| (((v as f32).to_bits() >> 16) as u16).to_le_bytes();
    for (file, grid, block) in [("sm90_matmul_bf16", 1, 256), ("sm90_matmul_bf16_2cta", 2, 128)] {
        let (m, n, k) = (128 * grid, 128, 128);
        let (a, b) = (integers(m, k, 3, bf16), integers(k, n, 7, bf16));
        let value = |bytes: &[u8], i: usize| {
            f32::from_bits(u32::from(bytes[2 * i + 1]) << 24 | u32::from(bytes[2 * i]) << 16) as i32
        };
        let product = sums(m, n, k, |i| value(&a, i), |row, column| value(&b, row * n + column));
        let results = std::cell::RefCell::new(Vec::new());
        everywhere(&producer(&format!("triton390/{file}.ptx")), 1, |how, run| {
            let mut mem = Memory::new();
            let buffers = [a.clone(), b.clone(), vec![0; 2 * m * n]].map(|data| mem.add("matrix", data, true));
            let mut launch = Launch::new("matmul_kernel");
            (launch.grid, launch.block) = (Dim3::from(grid as u32), Dim3::from(block));
            launch.dyn_shared = 200 << 10;
            launch.args = buffers.map(Arg::Buffer).to_vec();
            launch.args.extend([m, n, k, k, n, n].map(|v| Arg::u32(v as u32)));
            launch.args.extend([Arg::Null, Arg::Null]);
            run(&launch, &mut mem).unwrap_or_else(|failure| panic!("{file}, {how}: {failure}"));
            results.borrow_mut().push(mem.read_back(buffers[2]).unwrap().to_vec());
        });
        let results = results.into_inner();
        assert!(results.iter().all(|other| *other == results[0]), "{file}");
        for (sum, bytes) in product.iter().zip(results[0].chunks_exact(2)) {
            // Integers up to 256 are exact.
            assert!(sum.abs() > 256 || bytes == bf16(*sum), "{file}: {sum}");
        }
    }
}

#[test]
fn triton_specialises_warps_for_tensor_copies_and_products_of_warpgroups() {
    // The numbers from -2 to 2 as E4M3; the sums are rounded to it.
    let e4m3 = |v: i32| [[0xc0u8], [0xb8], [0], [0x38], [0x40]][(v + 2) as usize];
    let (m, n, k) = (384, 128, 384);
    let (a, b) = (integers(m, k, 3, e4m3), integers(n, k, 7, e4m3));
    let results = std::cell::RefCell::new(Vec::new());
    everywhere(&producer("triton390/sm90_tma_persistent_fp8e4nv_ws.ptx"), 1, |how, run| {
        let mut mem = Memory::new();
        let buffers = [a.clone(), b.clone(), vec![0; m * n]].map(|data| mem.add("matrix", data, true));
        let mut launch = Launch::new("matmul_tma_persistent");
        (launch.grid, launch.block) = (Dim3::from(3), Dim3::from(256));
        launch.dyn_shared = 200 << 10;
        for (buffer, rows, columns) in [(buffers[0], m, k), (buffers[1], n, k), (buffers[2], m, n)] {
            let mut map = [0u8; 128];
            map[..8].copy_from_slice(&mem.base(buffer).to_le_bytes());
            map[8..12].copy_from_slice(&(1u32 << 4 | 3 << 13).to_le_bytes());
            map[12..16].copy_from_slice(&(columns as u32 >> 4).to_le_bytes());
            map[0x20..0x24].copy_from_slice(&(columns as u32 - 1).to_le_bytes());
            map[0x24..0x28].copy_from_slice(&(rows as u32 - 1).to_le_bytes());
            (map[0x37], map[0x38]) = (127, 127);
            launch.args.push(Arg::Value(map.to_vec()));
            launch.args.extend([
                Arg::u32(rows as u32),
                Arg::u32(columns as u32),
                Arg::u64(columns as u64),
                Arg::u64(1),
            ]);
        }
        launch.args.extend([m, n, k].map(|v| Arg::u32(v as u32)));
        launch.args.extend([Arg::Null, Arg::Null]);
        run(&launch, &mut mem).unwrap_or_else(|failure| panic!("{how}: {failure}"));
        results.borrow_mut().push(mem.read_back(buffers[2]).unwrap().to_vec());
    });
    let results = results.into_inner();
    assert!(results.iter().all(|other| *other == results[0]));
    let number = |i: u8| {
        [0, 1, 2, 0, 0][usize::from(i & 0x7f) / 0x38 + usize::from(i & 0x7f == 0x40)] * if i > 127 { -1 } else { 1 }
    };
    let product = sums(m, n, k, |i| number(a[i]), |depth, column| number(b[column * k + depth]));
    for (sum, byte) in product.iter().zip(&results[0]) {
        // Integers up to 16 are exact.
        if sum.abs() <= 16 {
            let exact = (*sum as f32).to_bits();
            let bits = if *sum == 0 { 0 } else { (exact >> 20 & 0x7ff) - ((127 - 7) << 3) };
            assert_eq!(u32::from(*byte & 0x7f), bits & 0x7f, "{sum}");
            assert!(*sum == 0 || (*byte > 127) == (*sum < 0));
        }
    }
}
