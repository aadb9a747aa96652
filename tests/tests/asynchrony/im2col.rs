//! Tensor copies in im2col mode: on random maps the code of ptxas and ours computes in the simulator
//! what the interpreter computes, and that is what a convolution needs.
//!
//! The fields of im2col mode are where docs/tensor-maps.md puts them.

use super::common::{Run, everywhere};
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_tests::rng::Rng;

/// Bytes of shared memory for a box, and of the buffer for what a kernel is told.
const BOX: usize = 8192;
const TOLD: usize = 64;

/// A kernel: `body` is what thread 0 does, with coordinates in `%c0..4`, offsets in `%h0..2`, the bytes
/// of the box in `%n`, the map's address in `%m`. Shared memory comes from the buffer behind what it is
/// told, and goes to the other one.
fn kernel(body: &str) -> String {
    format!(
        ".version 9.0\n.target sm_90a\n.address_size 64\n\
         .visible .entry k(.param .u64 in, .param .u64 out, .param .align 64 .b8 tm[128])\n{{\n\
         .reg .b32 %c<5>, %t, %n, %i, %r<4>; .reg .b16 %h<4>; .reg .b64 %in, %out, %m, %d; .reg .pred %b, %e;\n\
         .shared .align 8 .b64 m0; .shared .align 1024 .b8 s[{BOX}];\n\
         ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.b64 %m, tm; cvta.param.u64 %m, %m; mov.u32 %t, %tid.x;\n\
         ld.global.u32 %c0, [%in]; ld.global.u32 %c1, [%in+4]; ld.global.u32 %c2, [%in+8];\n\
         ld.global.u32 %c3, [%in+12]; ld.global.u32 %c4, [%in+16]; ld.global.u16 %h0, [%in+20];\n\
         ld.global.u16 %h1, [%in+22]; ld.global.u16 %h2, [%in+24]; ld.global.u32 %n, [%in+28];\n\
         setp.ne.u32 %e, %t, 0; @!%e mbarrier.init.shared.b64 [m0], 1; mov.u32 %i, %t;\n\
         F: mul.lo.u32 %r1, %i, 4; cvt.u64.u32 %d, %r1; add.u64 %d, %in, %d; ld.global.u32 %r0, [%d+{TOLD}];\n\
         mov.u32 %r2, s; add.u32 %r2, %r2, %r1; st.shared.u32 [%r2], %r0; add.u32 %i, %i, 32;\n\
         setp.lt.u32 %b, %i, {}; @%b bra F; fence.proxy.async; bar.sync 0;\n@%e bra N;\n{body}\nN: bar.sync 0; mov.u32 %i, %t;\n\
         G: mul.lo.u32 %r1, %i, 4; cvt.u64.u32 %d, %r1; add.u64 %d, %out, %d; mov.u32 %r2, s; add.u32 %r2, %r2, %r1;\n\
         ld.shared.u32 %r0, [%r2]; st.global.u32 [%d], %r0; add.u32 %i, %i, 32; setp.lt.u32 %b, %i, {}; @%b bra G;\nret;\n}}\n",
        BOX / 4,
        BOX / 4
    )
}

fn list(name: &str, n: usize) -> String {
    (0..n).map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(", ")
}

fn load(rank: usize, space: &str, more: [&str; 2]) -> String {
    let (at, offsets) = (list("c", rank), list("h", rank - 2));
    let to = if space == "shared::cta" { "[s]" } else { "[%r0]" };
    let object = if space == "shared::cta" { "[m0]" } else { "[%r1]" };
    kernel(&format!(
        "mbarrier.arrive.expect_tx.shared.b64 _, [m0], %n; mov.u32 %r0, s; mov.u32 %r1, m0; mov.u16 %h3, 1;\n\
         cp.async.bulk.tensor.{rank}d.{space}.global.im2col.mbarrier::complete_tx::bytes{} {to}, [%m, {{{at}}}], \
         {object}, {{{offsets}}}{};\nW: mbarrier.try_wait.parity.shared.b64 %b, [m0], 0; @!%b bra W;",
        more[0], more[1]
    ))
}

fn store(rank: usize, op: &str) -> String {
    let at = list("c", rank);
    let (name, op) = if op.is_empty() { ("cp", String::new()) } else { ("cp.reduce", format!(".{op}")) };
    kernel(&format!(
        "{name}.async.bulk.tensor.{rank}d.global.shared::cta{op}.im2col_no_offs.bulk_group [%m, {{{at}}}], [s];\n\
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
    ))
}

/// The fields of im2col mode, and those of tile mode that it has, too.
#[derive(Debug)]
struct Map {
    element: u32,
    bytes: usize,
    size: Vec<usize>,
    /// Bytes between neighbours, but of the first dimension.
    stride: Vec<usize>,
    step: Vec<usize>,
    lower: Vec<i16>,
    upper: Vec<i16>,
    channels: usize,
    pixels: usize,
    swizzle: u32,
    nan: bool,
}

impl Map {
    fn tensor_bytes(&self) -> usize {
        let n = self.size.len() - 1;
        self.size[n] * self.stride[n - 1]
    }

    fn box_bytes(&self) -> usize {
        self.channels * self.pixels * self.bytes
    }

    fn write(&self, address: u64) -> Vec<u8> {
        let mut map = vec![0; 128];
        let rank = self.size.len();
        map[..8].copy_from_slice(&address.to_le_bytes());
        let flags = (rank as u32 - 1) << 4 | self.element << 7 | self.swizzle << 13 | u32::from(self.nan) << 15 | 1;
        map[8..12].copy_from_slice(&flags.to_le_bytes());
        let mut steps = 0u32;
        for n in 0..rank {
            map[0x20 + 4 * n..0x24 + 4 * n].copy_from_slice(&(self.size[n] as u32 - 1).to_le_bytes());
            steps |= (self.step[n] as u32 - 1) << (3 * n);
        }
        for (n, stride) in self.stride.iter().enumerate() {
            map[0x0c + 4 * n..0x10 + 4 * n].copy_from_slice(&(*stride as u32 >> 4).to_le_bytes());
        }
        map[0x34..0x36].copy_from_slice(&steps.to_le_bytes()[..2]);
        let width = [16, 8, 5][rank - 3];
        let corner =
            |c: &[i16]| c.iter().rev().fold(0, |all, &x| all << width | u32::from(x as u16) & ((1 << width) - 1));
        map[0x37] = (self.channels - 1) as u8;
        map[0x38..0x3a].copy_from_slice(&corner(&self.lower).to_le_bytes()[..2]);
        map[0x3a..0x3c].copy_from_slice(&corner(&self.upper).to_le_bytes()[..2]);
        map[0x3c..0x3e].copy_from_slice(&(self.pixels as u16).wrapping_sub(1).to_le_bytes());
        map[0x40..0x44].copy_from_slice(&(self.box_bytes() as u32).to_le_bytes());
        map[0x48..0x4c].copy_from_slice(&[16u32, 256, 512, 1024][self.swizzle as usize].to_le_bytes());
        map
    }

    /// A random map, of elements of one type where the instruction wants that.
    fn random(rank: usize, element: Option<u32>, rng: &mut Rng) -> Map {
        let element = element.unwrap_or_else(|| *rng.pick(&[0, 1, 2, 3, 6, 7, 10, 5]));
        let bytes = [1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2][element as usize];
        let swizzle = rng.below(4) as u32;
        let span = 16 << swizzle;
        let inner = if swizzle == 0 { 16 * (1 + rng.below(8)) } else { 16 << rng.below(swizzle as usize + 1) };
        let channels = inner / bytes;
        let most = (BOX / 2 / inner).min(60);
        // Whole patterns of a swizzle: holes between the last pieces would be undefined.
        let pixels = match 8 * span / inner {
            _ if swizzle == 0 => 1 + rng.below(most),
            pattern => pattern * (1 + rng.below((most / pattern).max(1))),
        };
        let spatial = rank - 2;
        let size: Vec<usize> =
            (0..rank).map(|n| if n == 0 { 1 + rng.below(2 * channels) } else { 1 + rng.below(6) }).collect();
        let mut stride = vec![(size[0] * bytes).next_multiple_of(16) + 16 * rng.below(2)];
        for n in 1..rank - 1 {
            stride.push(stride[n - 1] * size[n] + 16 * rng.below(3));
        }
        let lower: Vec<i16> = (0..spatial).map(|_| rng.below(4) as i16 - 2).collect();
        // The last pixel is not before the first.
        let upper = (0..spatial).map(|n| lower[n] - size[n + 1] as i16 + 1 + rng.below(7) as i16).collect();
        let step = (0..rank).map(|_| 1 + rng.below(3)).collect();
        let nan = matches!(element, 6 | 7 | 10) && rng.below(2) == 0;
        Map { element, bytes, size, stride, step, lower, upper, channels, pixels, swizzle, nan }
    }

    /// A first pixel in the box, and offsets.
    fn place(&self, rng: &mut Rng) -> (Vec<i32>, Vec<u16>) {
        let spatial = self.size.len() - 2;
        let aside = rng.below(2 * self.size[0]) as i32 - self.size[0] as i32 / 2;
        let mut at = vec![if rng.below(2) == 0 { 0 } else { aside }];
        for n in 0..spatial {
            let (first, last) = (i32::from(self.lower[n]), self.size[n + 1] as i32 - 1 + i32::from(self.upper[n]));
            at.push(first + rng.below((last - first + 1) as usize) as i32);
        }
        at.push(rng.below(self.size[spatial + 1]) as i32);
        (at, (0..spatial).map(|_| rng.below(4) as u16).collect())
    }
}

/// Runs a kernel on a map; returns the tensor and what is in shared memory, in the end.
fn outcome(run: Run<'_>, map: &Map, at: &[i32], offsets: &[u16], data: &[u8]) -> Result<[Vec<u8>; 2], String> {
    let mut mem = Memory::new();
    let tensor = mem.add("tensor", data[..map.tensor_bytes()].to_vec(), true);
    let mut told = vec![0; TOLD];
    for (n, coordinate) in at.iter().enumerate() {
        told[4 * n..4 * n + 4].copy_from_slice(&coordinate.to_le_bytes());
    }
    for (n, offset) in offsets.iter().enumerate() {
        told[20 + 2 * n..22 + 2 * n].copy_from_slice(&offset.to_le_bytes());
    }
    told[28..32].copy_from_slice(&(map.box_bytes() as u32).to_le_bytes());
    told.extend(data[data.len() - BOX..].iter().map(|byte| byte ^ 0x25));
    let input = mem.add("in", told, false);
    let out = mem.add("out", vec![0; BOX], true);
    let mut launch = Launch::new("k");
    launch.block = Dim3::from(32);
    launch.args = vec![Arg::Buffer(input), Arg::Buffer(out), Arg::Value(map.write(mem.base(tensor)))];
    run(&launch, &mut mem).map_err(|failure| failure.to_string())?;
    let read = |id| mem.read_back(id).map(<[u8]>::to_vec).map_err(|failure| failure.to_string());
    Ok([read(tensor)?, read(out)?])
}

fn data(rng: &mut Rng) -> Vec<u8> {
    (0..1 << 18).map(|_| rng.next() as u8).collect()
}

/// Fails unless all codes of a kernel do on random maps what the interpreter does. Returns how many
/// outcomes there were.
fn agree(text: &str, rank: usize, element: Option<u32>) -> usize {
    agree_on(24, text, rank, element)
}

/// [`agree`] on a number of maps.
fn agree_on(maps: usize, text: &str, rank: usize, element: Option<u32>) -> usize {
    let seed = text.len() as u64;
    let mut rng = Rng::new(seed, 61);
    let data = data(&mut rng);
    let cases: Vec<_> = (0..maps)
        .map(|_| {
            let map = Map::random(rank, element, &mut rng);
            let place = map.place(&mut rng);
            (map, place)
        })
        .collect();
    let expected = std::cell::RefCell::new(Vec::new());
    everywhere(text, 1, |how, run| {
        for (n, (map, (at, offsets))) in cases.iter().enumerate() {
            let found = outcome(run, map, at, offsets, &data).unwrap_or_else(|e| panic!("{how}: {e}\n{map:?} {at:?}"));
            let mut expected = expected.borrow_mut();
            match expected.get(n) {
                Some(wanted) => assert!(*wanted == found, "{how}: {map:?} at {at:?} {offsets:?}\n{text}"),
                None => expected.push(found),
            }
        }
    });
    let before = |map: &Map| [data[..map.tensor_bytes()].to_vec(), Vec::new()];
    let all = expected.into_inner();
    all.iter().zip(&cases).filter(|(found, (map, _))| found[0] != before(map)[0]).count()
}

#[test]
fn random_boxes_are_loaded_as_the_interpreter_does() {
    for (rank, space, more) in [
        (3, "shared::cluster", ["", ""]),
        (4, "shared::cluster", ["", ""]),
        (5, "shared::cluster", ["", ""]),
        (3, "shared::cta", ["", ""]),
        (4, "shared::cluster", [".L2::cache_hint", ", 0x14f0000000000000"]),
        (5, "shared::cluster", [".multicast::cluster", ", %h3"]),
    ] {
        // Nothing is written to the tensor.
        assert_eq!(agree(&load(rank, space, more), rank, None), 0);
    }
}

#[test]
fn random_boxes_are_stored_and_reduced_as_the_interpreter_does() {
    for rank in 3..=5 {
        let stored = agree(&store(rank, ""), rank, None);
        assert!(stored > 2, "{stored} stores of rank {rank}");
    }
    for (rank, op, element) in [(3, "add", 2), (4, "min", 3), (5, "xor", 5), (3, "inc", 2)] {
        let reduced = agree(&store(rank, op), rank, Some(element));
        assert!(reduced > 2, "{reduced} reductions of rank {rank}");
    }
}

#[test]
fn a_prefetch_does_nothing() {
    for rank in 3..=5 {
        let (at, offsets) = (list("c", rank), list("h", rank - 2));
        let line = format!("cp.async.bulk.prefetch.tensor.{rank}d.L2.global.im2col [%m, {{{at}}}], {{{offsets}}};");
        assert_eq!(agree_on(6, &kernel(&line), rank, None), 0);
    }
}

/// The rows of the matrix that a convolution multiplies: for each place of the filter the pixels under
/// one of its elements.
#[test]
fn columns_are_those_of_a_convolution() {
    // Images of 5 x 4 pixels, a filter of 3 x 2 with a padding of 1, every second column.
    let (width, height, images, channels) = (5i32, 4i32, 2i32, 8usize);
    let (step, pad) = ([2, 1], [1, 1]);
    let filter = [3, 2];
    let places = [(width + 2 * pad[0] - filter[0]) / step[0] + 1, (height + 2 * pad[1] - filter[1]) / step[1] + 1];
    let map = Map {
        element: 2,
        bytes: 4,
        size: vec![channels, width as usize, height as usize, images as usize],
        stride: vec![32, 32 * width as usize, 32 * (width * height) as usize],
        step: vec![1, step[0] as usize, step[1] as usize, 1],
        lower: vec![-pad[0] as i16, -pad[1] as i16],
        upper: vec![(pad[0] - filter[0] + 1) as i16, (pad[1] - filter[1] + 1) as i16],
        channels,
        pixels: 10,
        swizzle: 0,
        nan: false,
    };
    let data: Vec<u8> = (0..1u32 << 16).flat_map(|n| (n + 1).to_le_bytes()).collect();
    everywhere(&load(4, "shared::cluster", ["", ""]), 1, |how, run| {
        for first in [0, 3, 13, 20] {
            for (s, r) in [(0, 0), (1, 0), (2, 1)] {
                let place = |m: i32| (m % places[0], m / places[0] % places[1], m / places[0] / places[1]);
                let pixel = |m: i32| {
                    let (q, p, n) = place(m);
                    (q * step[0] - pad[0], p * step[1] - pad[1], n)
                };
                let (x, y, n) = pixel(first);
                let found = outcome(run, &map, &[0, x, y, n], &[s, r], &data).unwrap_or_else(|e| panic!("{how}: {e}"));
                for (i, word) in found[1].chunks(4).take(map.pixels * channels).enumerate() {
                    let (x, y, n) = pixel(first + (i / channels) as i32);
                    let (x, y) = (x + i32::from(s), y + i32::from(r));
                    let inside = (0..width).contains(&x) && (0..height).contains(&y) && n < images;
                    let number = ((n * height + y) * width + x) * channels as i32 + (i % channels) as i32 + 1;
                    let expected = if inside { number as u32 } else { 0 };
                    let word = u32::from_le_bytes(word.try_into().unwrap());
                    assert_eq!(word, expected, "{how}: element {i} from {first} on, filter {s}, {r}");
                }
            }
        }
    });
}

#[test]
fn what_is_wrong_with_maps_is_found() {
    let text = load(4, "shared::cluster", ["", ""]);
    let mut rng = Rng::new(5, 67);
    let data = data(&mut rng);
    let good = || Map {
        element: 2,
        bytes: 4,
        size: vec![8, 5, 4, 2],
        stride: vec![32, 160, 640],
        step: vec![1; 4],
        lower: vec![-1, -1],
        upper: vec![0, 0],
        channels: 8,
        pixels: 10,
        swizzle: 0,
        nan: false,
    };
    type Change = fn(&mut Map, &mut Vec<i32>, &mut Vec<u16>);
    let mistakes: [(&str, Change); 6] = [
        ("20 bytes in a row", |map, _, _| map.channels = 5),
        ("65536 pixels", |map, _, _| map.pixels = 0),
        ("a box from pixel -1 to -2", |map, _, _| map.upper[0] = -6),
        ("pixel 5 is not in the box from -1 to 4", |_, at, _| at[1] = 5),
        ("pixel -2 is not in the box", |_, at, _| at[2] = -2),
        ("a swizzle of 32", |map, _, _| (map.swizzle, map.channels) = (1, 16)),
    ];
    everywhere(&text, 1, |how, run| {
        outcome(run, &good(), &[0, -1, 3, 0], &[2, 2], &data).unwrap_or_else(|e| panic!("{how}: {e}"));
        for (says, change) in mistakes {
            let (mut map, mut at, mut offsets) = (good(), vec![0, -1, 3, 0], vec![2, 2]);
            change(&mut map, &mut at, &mut offsets);
            let found = outcome(run, &map, &at, &offsets, &data).unwrap_err();
            assert!(found.contains(says), "{how}: {found} for {says}");
        }
    });
    // The mode of an instruction and that of its map are one.
    let tile = text.replace(".im2col.", ".tile.").replace(", {%h0, %h1};", ";");
    everywhere(&tile, 1, |how, run| {
        let found = outcome(run, &good(), &[0, 0, 0, 0], &[], &data).unwrap_err();
        assert!(found.contains("tile mode with a tensor map in im2col mode"), "{how}: {found}");
    });
}
