//! What only programs of several translation units have: recursion across units, variables in
//! constant and global memory, weak functions, templates, and shared variables that are not in a
//! kernel, used through a table of functions.
//!
//! One function, `links`, uses all of them; the kernel calls it after every phase. The host has the
//! same functions in C.

use super::generate::generate;
use super::tree::Program;
use crate::rng::Rng;
use std::fmt::Write as _;

/// The constants of these functions, and whether the weak function has a strong definition too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    constants: [u32; 8],
    strong: bool,
}

/// The program of a seed with these constructs.
pub fn linked(seed: u64) -> Program {
    let mut rng = Rng::new(seed, 73);
    let constants = [0; 8].map(|_| rng.next() as u32 | 1);
    Program { links: Some(Links { constants, strong: rng.chance(1, 2) }), ..generate(seed) }
}

/// Their names, which get the prefix of their program.
pub(super) const NAMES: [&str; 13] =
    ["links", "even", "odd", "fixed", "chosen", "scale", "slots", "weakly", "mixed", "pad", "put", "putmore", "ways"];

/// The call of the kernel and of the host, for the thread with state `t` and number `lane`.
pub(super) fn call(t: &str, lane: &str) -> String {
    format!("{t}->b ^= links({t}->a, {lane});")
}

const LINKS: &str = "u32 links(u32 x, u32 lane) {
    slots[lane] = x ^ scale;
    ways[(x ^ lane) & 1u](lane, slots[lane]);
    return even(x % 6u, pad[lane]) + chosen(x) + weakly(x) + MIXED(u32, 3, x) + (u32)(MIXED(u64, 2, (u64)x << 9) >> 7);
}
";

impl Links {
    fn weak(&self) -> String {
        format!("return x + {}u;", self.constants[5])
    }

    fn strong(&self) -> String {
        format!("return (x >> 5) ^ {}u;", self.constants[6])
    }

    fn even(&self) -> String {
        let [a, b, ..] = self.constants;
        format!("u32 even(u32 n, u32 x) {{ return n == 0u ? x ^ {a}u : odd(n - 1u, x * 3u + {b}u); }}\n")
    }

    fn odd(&self) -> String {
        let c = self.constants[2];
        format!("u32 odd(u32 n, u32 x) {{ return n == 0u ? x + {c}u : even(n - 1u, x ^ x >> 3); }}\n")
    }

    fn fixed(&self) -> String {
        let numbers: Vec<String> = self.constants.iter().map(|n| format!("{n}u")).collect();
        format!("u32 fixed[8] = {{{}}};\n", numbers.join(", "))
    }

    /// The functions of the host for a program of this name.
    pub(super) fn host(&self, name: &str) -> String {
        let mut out = String::from("#ifndef __CUDACC__\n#define MIXED(V, N, X) mixed##V(X)\n");
        out += "DEVICE u32 odd(u32 n, u32 x);\n";
        out += &format!("DEVICE {}DEVICE {}", self.even(), self.odd());
        out += &format!("static const {}", self.fixed());
        out += "DEVICE u32 chosen(u32 x) { return fixed[x & 7u]; }\n";
        out += &format!("static u32 scale = {}u;\nstatic u32 slots[THREADS], pad[THREADS];\n", self.constants[3]);
        let weakly = if self.strong { self.strong() } else { self.weak() };
        out += &format!("DEVICE u32 weakly(u32 x) {{ {weakly} }}\n");
        for (ty, count) in [("u32", 3), ("u64", 2)] {
            _ = writeln!(
                out,
                "#define mixed{ty} {name}_mixed_{ty}\nDEVICE {ty} mixed{ty}({ty} x) {{ for (u32 i = 0; i < {count}u; i++) \
                 {{ x = x * ({ty})5 + ({ty})i; }} return x; }}"
            );
        }
        out += "DEVICE void put(u32 lane, u32 x) { pad[lane] = x; }\n";
        out += "DEVICE void putmore(u32 lane, u32 x) { pad[lane] = x + 100u; }\n";
        out += "static void (*const ways[2])(u32, u32) = {put, putmore};\n";
        // Another program has functions of the same names.
        let undone = "#undef MIXED\n#undef mixedu32\n#undef mixedu64\n#endif\n";
        out + &format!("DEVICE {LINKS}") + undone
    }

    /// What is in a unit of the device; `home` says whether it has the definition with a number.
    pub(super) fn device(&self, home: impl Fn(usize) -> bool) -> String {
        let mut out = String::from("#define MIXED(V, N, X) mixed<V, N>(X)\n");
        let function = "__device__ __noinline__";
        for signature in ["links(u32 x, u32 lane)", "even(u32 n, u32 x)", "odd(u32 n, u32 x)", "chosen(u32 x)"] {
            _ = writeln!(out, "{function} u32 {signature};");
        }
        out += "extern __constant__ u32 fixed[8];\nextern __device__ u32 scale, slots[THREADS];\n";
        out += "extern __device__ void (*ways[2])(u32, u32);\nextern __shared__ u32 pad[THREADS];\n";
        _ = writeln!(
            out,
            "template <typename V, u32 N> {function} V mixed(V x) {{ for (u32 i = 0; i < N; i++) {{ x = x * (V)5 + (V)i; }} \
             return x; }}"
        );
        // Every unit has the weak definition, but the one with the strong one.
        match self.strong && home(6) {
            true => _ = writeln!(out, "{function} u32 weakly(u32 x) {{ {} }}", self.strong()),
            false => _ = writeln!(out, "{function} __attribute__((weak)) u32 weakly(u32 x) {{ {} }}", self.weak()),
        }
        let mut at = |n: usize, text: String| out += if home(n) { &text } else { "" };
        at(0, format!("{function} {}", self.even()));
        at(1, format!("{function} {}", self.odd()));
        at(2, format!("__constant__ {}", self.fixed()));
        at(3, format!("{function} u32 chosen(u32 x) {{ return fixed[x & 7u]; }}\n"));
        at(4, format!("__device__ u32 scale = {}u;\n__device__ u32 slots[THREADS];\n", self.constants[3]));
        let put = |name: &str, value: &str| {
            format!("static {function} void {name}(u32 lane, u32 x) {{ pad[lane] = {value}; }}\n")
        };
        at(5, format!("__shared__ u32 pad[THREADS];\n{}{}", put("put", "x"), put("putmore", "x + 100u")));
        at(5, "__device__ void (*ways[2])(u32, u32) = {put, putmore};\n".to_owned());
        at(7, format!("{function} {LINKS}"));
        out + "#undef MIXED\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_c::text::shared;
    use crate::random_c::units::sources;

    #[test]
    fn programs_of_units_have_every_construct_in_some_unit_and_use_it_in_another() {
        for seed in 0..20 {
            let program = linked(seed);
            let units = sources(std::slice::from_ref(&program), 8);
            let with = |text: &str| units.iter().filter(|unit| unit.contains(text)).count();
            for (definition, use_of_it) in [
                ("u32 even(u32 n, u32 x) { return", "even(n - 1u"),
                ("u32 odd(u32 n, u32 x) { return", "odd(n - 1u"),
                ("\n__constant__ u32 fixed[8] = {", "return fixed["),
                ("\n__device__ u32 scale = ", "x ^ scale"),
                ("\n__device__ u32 slots[THREADS];", "slots[lane] = "),
                ("\n__shared__ u32 pad[THREADS];", ", pad[lane])"),
                ("\n__device__ void (*ways[2])(u32, u32) = {", "ways[(x ^ lane) & 1u]("),
                ("u32 links(u32 x, u32 lane) {", "t->b ^= links(t->a, lane);"),
            ] {
                assert_eq!(with(definition), 1, "seed {seed}: {definition}");
                assert!(with(use_of_it) >= 1, "seed {seed}: {use_of_it}");
                let apart = units.iter().any(|unit| unit.contains(use_of_it) && !unit.contains(definition));
                assert!(apart, "seed {seed}: {use_of_it} is only next to {definition}");
            }
            assert_eq!(with("template <typename V, u32 N>"), 8);
            assert_eq!(
                with("__attribute__((weak)) u32 weakly"),
                if program.links.as_ref().unwrap().strong { 7 } else { 8 }
            );
            assert!(shared(&program).contains("(&all[l])->b ^= links("));
        }
        assert!((0..20).any(|seed| linked(seed).links.unwrap().strong), "no strong definition");
        assert!(!shared(&generate(1)).contains("links("));
    }
}
