//! A kernel for every spelling of a texture or surface instruction, with random textures.
//!
//! Problem: lookups have hundreds of spellings, each with optional operands, and read textures of
//! many formats and samplers. Strategy: the spellings come from the PTX table; a kernel of one warp
//! loads coordinates, level, gradients, offsets and a reference from memory, executes the
//! instruction and stores its results. The seed chooses optional operands, how the handle is given,
//! format, size, sampler and contents of the texture, and coordinates inside and outside of it.

use raddle_ptx::examples::examples;
use raddle_ptx::{FormId, Op};
use raddle_sim::mem::Handle;
use raddle_sim::texture::file;

use crate::rng::Rng;

/// The operations.
const OPS: [Op; 8] = [Op::Tex, Op::Tld4, Op::Txq, Op::Istypep, Op::Suld, Op::Sust, Op::Sured, Op::Suq];

/// Bytes of a thread's row in both buffers.
pub(crate) const ROW: usize = 128;

/// A spelling.
pub struct Form {
    /// The canonical spelling.
    pub dotted: String,
}

/// All spellings of texture and surface instructions that mean something.
pub fn all() -> Vec<Form> {
    let shapes = FormId::all().filter(|id| OPS.contains(&id.op())).flat_map(examples).map(|e| e.shape);
    let forms = shapes.map(|shape| Form { dotted: shape.dotted.to_string() });
    // Nothing is said of derivatives at whole numbers, and of how a texture is laid out.
    forms.filter(|f| !(f.has("grad") && !f.floats() || f.has("memory_layout") && f.op() == "txq")).collect()
}

/// How a kernel gets the handle of its texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// A parameter of 64 bits.
    Parameter,
    /// Loaded from memory, the same in all threads.
    Loaded,
    /// Loaded from memory, different in some threads.
    Divergent,
    /// A variable of the module.
    Variable,
    /// A parameter of the type of textures.
    Opaque,
}

impl Given {
    /// All ways.
    pub const ALL: [Given; 5] = [Given::Parameter, Given::Loaded, Given::Divergent, Given::Variable, Given::Opaque];
}

/// A choice of everything that a spelling leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// How the handle is given.
    pub given: Given,
    /// Whether the sampler is separate.
    pub independent: bool,
    /// Seed of everything else.
    pub seed: u64,
}

/// A kernel `k` with its launch.
pub struct Kernel {
    /// The module.
    pub text: String,
    pub(crate) textures: Vec<(String, Vec<u8>)>,
    pub(crate) kind: Handle,
    pub(crate) given: Given,
    pub(crate) independent: bool,
    pub(crate) normalized: bool,
    pub(crate) extent: [u32; 3],
    pub(crate) levels: u32,
    pub(crate) seed: u64,
    pub(crate) cube: bool,
}

impl Form {
    pub(crate) fn has(&self, part: &str) -> bool {
        self.dotted.split('.').any(|p| p == part)
    }

    fn op(&self) -> &str {
        self.dotted.split('.').next().unwrap_or("")
    }

    /// Dimensions: coordinates, layer, samples, cube.
    fn dimensions(&self) -> (usize, bool, bool, bool) {
        let rows = [
            ("1d", (1, false, false, false)),
            ("2d", (2, false, false, false)),
            ("3d", (3, false, false, false)),
            ("a1d", (1, true, false, false)),
            ("a2d", (2, true, false, false)),
            ("cube", (3, false, false, true)),
            ("acube", (3, true, false, true)),
            ("2dms", (2, false, true, false)),
            ("a2dms", (2, true, true, false)),
        ];
        rows.into_iter().find(|row| self.has(row.0)).map_or((2, false, false, false), |row| row.1)
    }

    fn is_surface(&self) -> bool {
        self.op().starts_with("su")
    }

    /// Whether coordinates of a lookup are floats.
    fn floats(&self) -> bool {
        self.op() == "tld4" || self.dotted.ends_with("f32")
    }

    /// Whether channels are integers, and signed.
    fn integers(&self) -> Option<bool> {
        let result = self.dotted.split('.').rev().nth(1).unwrap_or("");
        match (self.is_surface(), result) {
            (false, "s32") => Some(true),
            (false, "u32") => Some(false),
            _ => None,
        }
    }

    /// The format of texels.
    fn format(&self, rng: &mut Rng) -> String {
        if self.op() == "sured" {
            let wide = self.dotted.contains("64");
            return match (wide, rng.below(2)) {
                (false, 0) => "r32_uint".into(),
                (false, _) => "r32_sint".into(),
                (true, 0) => "rg32_uint".into(),
                (true, _) => "rg32_sint".into(),
            };
        }
        let channels = *rng.pick(&["r", "rg", "rgba"]);
        if self.op() == "sust" || self.op() == "suld" {
            let kind = *rng.pick(&["8_unorm", "8_sint", "16_float", "32_uint", "32_float", "16_snorm"]);
            return format!("{}{kind}", if self.has("v4") && self.has("b64") { "rgba" } else { channels });
        }
        let kind = match self.integers() {
            Some(true) => *rng.pick(&["8_sint", "16_sint", "32_sint"]),
            Some(false) => *rng.pick(&["8_uint", "16_uint", "32_uint"]),
            None => *rng.pick(&["8_unorm", "8_snorm", "16_float", "32_float", "16_unorm", "8_srgb"]),
        };
        format!("{channels}{kind}")
    }

    /// A texture file; returns it with extent, levels and whether coordinates are normalised.
    fn texture(&self, rng: &mut Rng) -> (Vec<u8>, [u32; 3], u32, bool) {
        let (dims, array, samples, cube) = self.dimensions();
        let format = self.format(rng);
        // A row of a surface has room for the widest access.
        let least = if self.is_surface() { 32 } else { 2 };
        let mut extent = [1u32; 3];
        for (n, size) in extent.iter_mut().enumerate().take(if cube { 2 } else { dims }) {
            *size = if n == 0 { least + rng.below(9) as u32 } else { 2 + rng.below(7) as u32 };
        }
        if cube {
            extent = [4 + rng.below(5) as u32; 3];
            extent[2] = 1;
        }
        let flat = self.is_surface() || samples;
        let largest = extent.iter().max().map_or(1, |n| *n);
        let levels = if flat { 1 } else { 1 + rng.below(32 - largest.leading_zeros() as usize) as u32 };
        let normalized = cube || rng.below(2) == 0;
        let linear = self.integers().is_none() && rng.below(2) == 0;
        let size: Vec<String> = extent[..if cube { 2 } else { dims }].iter().map(ToString::to_string).collect();
        let mut head = format!("{}\nformat {format}\nsize {}\nlevels {levels}\n", file::MAGIC, size.join(" "));
        let modes = ["wrap", "mirror", "clamp", "border"];
        let mode = |rng: &mut Rng| *rng.pick(&modes);
        head += &format!("wrap {} {} {}\n", mode(rng), mode(rng), mode(rng));
        head += "border 0.25 1 -1 0.5\nbias 0.25\n";
        for (given, line) in [
            (cube, "cube"),
            (array, "layers 3"),
            (samples, "samples 4"),
            (linear, "filter linear"),
            (normalized, "normalized"),
            (rng.below(2) == 0, "between-levels"),
        ] {
            if given {
                head += &format!("{line}\n");
            }
        }
        head += &format!("compare {}\n", rng.pick(&["less", "less-equal", "greater"]));
        let images = if cube { 6 } else { 1 } * if array { 3 } else { 1 } * if samples { 4 } else { 1 };
        let texel = texel_bytes(&format);
        let texels = |level: u32| extent.iter().map(|n| (n >> level).max(1) as usize).product::<usize>();
        let count: usize = (0..levels).map(texels).sum::<usize>() * images;
        let mut bytes = (head + "data\n").into_bytes();
        for _ in 0..count {
            bytes.extend(texel_of(&format, texel, rng));
        }
        (bytes, extent, levels, normalized)
    }

    /// A kernel for a target.
    pub fn kernel(&self, target: &str, choice: Choice) -> Kernel {
        let mut rng = Rng::new(choice.seed, 7);
        let (first, extent, levels, normalized) = self.texture(&mut rng);
        // The other one has the same shape and other contents.
        let mut second = first.clone();
        let header = second.windows(5).position(|w| w == b"data\n").map_or(0, |at| at + 5);
        second[header..].reverse();
        let second = if self.is_surface() || self.integers().is_some() { second } else { first.clone() };
        let textures = vec![("one".to_owned(), first), ("two".to_owned(), second)];
        let kind = if self.is_surface() { Handle::Surface } else { Handle::Texture };
        let text = self.module(target, choice, &mut rng);
        Kernel {
            text,
            textures,
            kind,
            given: choice.given,
            independent: choice.independent,
            normalized,
            extent,
            levels,
            seed: choice.seed,
            cube: self.dimensions().3,
        }
    }

    /// Floats from byte 0 on, integers from byte 64 on, the handle at byte 112.
    fn module(&self, target: &str, choice: Choice, rng: &mut Rng) -> String {
        let mode = if choice.independent { ", texmode_independent" } else { "" };
        let ty = if self.is_surface() { "surfref" } else { "texref" };
        let (variables, parameter, handle) = match choice.given {
            Given::Parameter => (String::new(), ".param .u64 t".to_owned(), "ld.param.u64 %t, [t];".to_owned()),
            Given::Loaded => (
                String::new(),
                ".param .u64 t".into(),
                "ld.param.u64 %base, [in]; ld.global.u64 %t, [%base+112];".into(),
            ),
            Given::Divergent => (String::new(), ".param .u64 t".into(), "ld.global.u64 %t, [%in+112];".into()),
            Given::Variable => (format!(".global .{ty} one;\n"), ".param .u64 t".into(), String::new()),
            Given::Opaque => (String::new(), format!(".param .{ty} t"), String::new()),
        };
        let (variables, parameter, handle) = match choice.independent {
            true => match choice.given {
                Given::Variable => (variables + ".global .samplerref two;\n", parameter, handle),
                Given::Opaque => (variables, parameter + ", .param .samplerref s", handle),
                _ => (variables, parameter + ", .param .u64 s", handle + " ld.param.u64 %s, [s];"),
            },
            false => (variables, parameter, handle),
        };
        let texture = match choice.given {
            Given::Variable => "one",
            Given::Opaque => "t",
            _ => "%t",
        };
        let sampler = match (choice.independent, choice.given) {
            (false, _) => "",
            (true, Given::Variable) => ", two",
            (true, Given::Opaque) => ", s",
            (true, _) => ", %s",
        };
        let (line, results) = self.line(texture, sampler, rng);
        let line = if self.has("grad") { divergent(&line, &results, rng) } else { line };
        let (mut declared, mut stores, mut at) = (String::new(), String::new(), 0);
        for (name, bits) in results {
            if bits == 1 {
                declared += &format!(".reg .pred {name};\n");
                stores += &format!("selp.b32 %w, 1, 2, {name}; st.global.b32 [%out+{at}], %w;\n");
                at += 4;
                continue;
            }
            declared += &format!(".reg .b{} {name};\n", bits.max(16));
            stores += &format!("st.global.b{bits} [%out+{at}], {name};\n");
            at += 8;
        }
        let list = |name: &str, n: usize| (0..n).map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(", ");
        let (mut loads, quads) =
            (String::new(), [("f", 0), ("f", 4), ("f", 8), ("f", 12), ("i", 0), ("i", 4), ("i", 8)]);
        for (n, (name, from)) in quads.iter().enumerate() {
            let names: Vec<String> = (*from..from + 4).map(|i| format!("%{name}{i}")).collect();
            loads += &format!("ld.global.v4.b32 {{{}}}, [%in+{}];\n", names.join(", "), 16 * n);
        }
        format!(
            ".version 9.0\n.target {target}{mode}\n.address_size 64\n{variables}\
             .visible .entry k(.param .u64 in, .param .u64 out, {parameter})\n{{\n\
             .reg .b64 %in, %out, %base, %t, %s; .reg .b32 %x, %w; .reg .f32 {}; .reg .b32 {};\n\
             .reg .b16 %h<4>; .reg .b64 %d<4>;\n{declared}\
             ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %x, %tid.x;\n\
             mad.wide.u32 %in, %x, {ROW}, %in; mad.wide.u32 %out, %x, {ROW}, %out;\n{handle}\n{loads}\
             cvt.u16.u32 %h0, %i4; cvt.u16.u32 %h1, %i5; cvt.u16.u32 %h2, %i6; cvt.u16.u32 %h3, %i7;\n\
             mov.b64 %d0, {{%i4, %i5}}; mov.b64 %d1, {{%i6, %i7}};\n{line}\n{stores}ret;\n}}\n",
            list("f", 16),
            list("i", 12)
        )
    }

    /// The instruction, and its results with their bits.
    fn line(&self, texture: &str, sampler: &str, rng: &mut Rng) -> (String, Vec<(String, u32)>) {
        let dotted = &self.dotted;
        let (dims, array, samples, cube) = self.dimensions();
        let vector = if self.has("v4") { 4 } else { 1 + usize::from(self.has("v2")) };
        // Layer and sample come first; a vector has 1, 2 or 4 elements.
        let mut coordinates: Vec<String> = Vec::new();
        coordinates.extend(samples.then(|| "%i8".to_owned()));
        coordinates.extend(array.then(|| "%i3".to_owned()));
        let prefix = if !self.is_surface() && self.floats() { "%f" } else { "%i" };
        coordinates.extend((0..dims).map(|n| format!("{prefix}{n}")));
        let padded = |mut list: Vec<String>| {
            if list.len() == 3 {
                list.push(list[0].clone());
            }
            format!("{{{}}}", list.join(", "))
        };
        // The fourth of an array has its first type.
        if coordinates.len() == 3 {
            coordinates.push(format!("{prefix}0"));
        }
        let place = padded(coordinates);
        let regs = |n: usize, bits: u32| (0..n).map(|i| (format!("%r{i}"), bits)).collect::<Vec<_>>();
        let names = |list: &[(String, u32)]| {
            let names: Vec<&str> = list.iter().map(|(name, _)| name.as_str()).collect();
            if names.len() == 1 { names[0].to_owned() } else { format!("{{{}}}", names.join(", ")) }
        };
        match self.op() {
            "tex" | "tld4" => {
                let bits = if self.has("f16") { 16 } else { 32 };
                let count = if self.has("v2") { 2 } else { 4 };
                let mut results = regs(count, bits);
                let shown = names(&results);
                let resident = rng.below(3) == 0;
                let mut rest = String::new();
                if self.has("level") {
                    rest += if self.floats() { ", %f4" } else { ", %i9" };
                }
                if self.has("grad") {
                    let n = dims;
                    for from in [5, 8] {
                        rest += &format!(", {}", padded((from..from + n).map(|i| format!("%f{i}")).collect()));
                    }
                }
                if rng.below(2) == 0 && !cube {
                    rest += &format!(", {}", padded((0..dims).map(|n| format!("%i{}", 4 + n)).collect()));
                }
                if rng.below(3) == 0 && dims + usize::from(cube) != 3 && self.integers().is_none() && self.floats() {
                    rest += ", %f11";
                }
                let predicate = if resident { "|%resident" } else { "" };
                // An unused channel is not returned.
                let unused = if rng.below(2) == 0 { results.len() } else { rng.below(results.len()) };
                results.extend(resident.then(|| ("%resident".to_owned(), 1)));
                let line = format!("{dotted} {shown}{predicate}, [{texture}{sampler}, {place}]{rest};");
                let declared_only = results.get(unused).filter(|r| r.1 != 1).cloned();
                let mut kept = results;
                let mut line = line;
                if let Some((name, bits)) = declared_only {
                    kept.retain(|r| r.0 != name);
                    line = format!(".reg .b{bits} {name}; {line}");
                }
                (line, kept)
            }
            "txq" | "suq" => {
                let level = if self.has("level") { ", %i9" } else { "" };
                let of_sampler = ["addr_mode", "filter_mode", "force_unnormalized"].iter().any(|m| dotted.contains(m));
                let texture = if of_sampler && !sampler.is_empty() { &sampler[2..] } else { texture };
                (format!("{dotted} %r0, [{texture}]{level};"), regs(1, 32))
            }
            "istypep" => (format!("{dotted} %resident, %t;"), vec![("%resident".to_owned(), 1)]),
            "suld" => {
                let bits = self
                    .dotted
                    .split(".b")
                    .skip(1)
                    .find_map(|rest| rest.split('.').next().and_then(|digits| digits.parse::<u32>().ok()));
                let results = regs(vector, bits.unwrap_or(32));
                (format!("{dotted} {}, [{texture}, {place}];", names(&results)), results)
            }
            _ => {
                let register = if self.dotted.contains("64") {
                    "%d"
                } else if self.has("b8") || self.has("b16") {
                    "%h"
                } else {
                    "%i"
                };
                let from = if register == "%i" { 4 } else { 0 };
                let values: Vec<String> = (0..vector)
                    .map(|n| format!("{register}{}", from + n % if register == "%d" { 2 } else { 4 }))
                    .collect();
                let value = if vector == 1 { values[0].clone() } else { format!("{{{}}}", values.join(", ")) };
                (format!("{dotted} [{texture}, {place}], {value};"), Vec::new())
            }
        }
    }
}

/// A lookup that some lanes do not take part in, or all do: the others have exited, or compute results
/// of their own from what all have loaded.
fn divergent(line: &str, results: &[(String, u32)], rng: &mut Rng) -> String {
    let lanes = rng.next() as u32;
    let others: String = results
        .iter()
        .enumerate()
        .map(|(n, (name, bits))| match bits {
            1 => format!("setp.ne.u32 {name}, %i{n}, 0; "),
            16 => format!("cvt.u16.u32 {name}, %i{n}; "),
            _ => format!("mov.b32 {name}, %f{}; ", n + 3),
        })
        .collect();
    let others = match rng.below(4) {
        0 => return line.to_owned(),
        1 => "ret;".to_owned(),
        _ => others,
    };
    // The declaration of a result that nothing reads stays outside.
    let (declared, line) = line.split_once("; ").unwrap_or(("", line));
    format!(
        "{declared}{} .reg .pred %side; .reg .b32 %bits; mov.b32 %bits, {lanes}; shr.u32 %bits, %bits, %x; \
         and.b32 %bits, %bits, 1; setp.ne.u32 %side, %bits, 0; @%side bra OTHERS;\n{line}\nbra JOIN;\n\
         OTHERS: {others}\nJOIN:",
        if declared.is_empty() { "" } else { ";" }
    )
}

/// Bytes of a texel of a format that a [`Form`] chooses.
fn texel_bytes(format: &str) -> usize {
    let channels = format.chars().take_while(char::is_ascii_alphabetic).count();
    let bits: usize =
        format[channels..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(8);
    channels.max(1) * bits / 8
}

/// A random texel: floats are small numbers.
fn texel_of(format: &str, bytes: usize, rng: &mut Rng) -> Vec<u8> {
    let one = |rng: &mut Rng| rng.unit() * 4.0 - 2.0;
    if format.contains("32_float") {
        return (0..bytes / 4).flat_map(|_| (one(rng) as f32).to_le_bytes()).collect();
    }
    if format.contains("16_float") {
        return (0..bytes / 2).flat_map(|_| half::f16::from_f64(one(rng)).to_le_bytes()).collect();
    }
    (0..bytes).map(|_| rng.next() as u8).collect()
}
