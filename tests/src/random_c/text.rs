//! The sources of programs: for the device and for the host, with the same functions and phases.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::cross::THREADS;
use super::links::{self, NAMES};
use super::tree::{Program, print};

/// Words of 64 bits that a thread reads.
pub const INPUTS: usize = 8;
/// Words of 64 bits that a thread writes.
pub const OUTPUTS: usize = 28;

/// Types and helpers, the same text for both compilers except between `#ifdef __CUDACC__` and
/// `#endif`.
const PRELUDE: &str = include_str!("prelude.c");

/// Functions, table and phases of a program.
pub fn shared(program: &Program) -> String {
    let mut out = String::new();
    let prefix = program.name();
    let names: Vec<String> = program.functions.iter().map(|f| f.name.clone()).collect();
    let phases: Vec<String> = (0..program.phases.len()).map(|n| format!("phase{n}")).collect();
    let links = program.links.iter().flat_map(|_| NAMES.map(str::to_owned));
    let all = || names.iter().chain(&phases).cloned().chain(["table".to_owned()]).chain(links.clone());
    all().for_each(|name| out += &format!("#define {name} {prefix}_{name}\n"));
    let needed = needed(program);
    for (n, function) in program.functions.iter().enumerate() {
        if n == 3 && !needed.contains(&n) && needed.contains(&TABLE) {
            out += &table(program);
        }
        if !needed.contains(&n) {
            continue;
        }
        let kind = if function.inline { "INLINE" } else { "DEVICE" };
        _ = writeln!(out, "{kind} {} {{", function.signature.replace('@', &function.name));
        out += "    u32 r = 7u;\n    u32 v[8] = {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u};\n    (void)r; (void)v;\n";
        print(&function.body, 1, &mut out);
        _ = writeln!(out, "    return {};\n}}", result(&function.result, function.signature));
        if n == 3 && needed.contains(&TABLE) {
            out += &table(program);
        }
    }
    for (n, phase) in program.phases.iter().enumerate() {
        _ = writeln!(out, "DEVICE void phase{n}(T* t, u32 lane) {{");
        print(&phase.body, 1, &mut out);
        out += "}\n";
    }
    out += &program.links.as_ref().map_or_else(String::new, |links| links.host(&prefix));
    out + &driver(program) + &all().map(|name| format!("#undef {name}\n")).collect::<String>()
}

/// The number that represents the table among the needed functions.
pub(super) const TABLE: usize = usize::MAX;

pub(super) fn table(program: &Program) -> String {
    let [a, b, c, d] = program.table;
    format!("TABLE table[4] = {{f{a}, f{b}, f{c}, f{d}}};\n")
}

/// Numbers of the functions that the phases call, directly or not.
pub(super) fn needed(program: &Program) -> BTreeSet<usize> {
    let mut needed = BTreeSet::new();
    let uses = |text: &str, needed: &mut BTreeSet<usize>| {
        needed.extend((0..program.functions.len()).filter(|n| text.contains(&format!("f{n}("))));
        if text.contains("table[") {
            needed.extend(program.table);
            needed.insert(TABLE);
        }
    };
    for phase in &program.phases {
        let mut text = String::new();
        print(&phase.body, 0, &mut text);
        uses(&text, &mut needed);
    }
    // A function calls only earlier ones.
    for (n, function) in program.functions.iter().enumerate().rev() {
        if needed.contains(&n) {
            let mut text = function.result.clone();
            print(&function.body, 0, &mut text);
            uses(&text, &mut needed);
        }
    }
    needed
}

/// The result of a function; a deleted one is `x` for any type.
pub(super) fn result(text: &str, signature: &str) -> String {
    match (text, signature.split(' ').next()) {
        ("x", Some("i32")) => "(i32)x".to_owned(),
        _ => text.to_owned(),
    }
}

fn driver(program: &Program) -> String {
    let (device, host) = drivers(program);
    device + &host
}

/// The kernel, and the equivalent function of the host, each in its half of `#ifdef`.
pub(super) fn drivers(program: &Program) -> (String, String) {
    let name = program.name();
    let mut device = format!(
        "#ifdef __CUDACC__\nextern \"C\" __global__ void {name}(const u64* in, u64* out) {{\n    __shared__ u64 words[THREADS];\n    \
         __shared__ u8 bytes[THREADS];\n    __shared__ unsigned int total;\n    (void)words; (void)bytes; (void)total;\n    u32 lane = threadIdx.x;\n    \
         T state;\n    T* t = &state;\n    begin(t, in + lane * INPUTS);\n"
    );
    let mut host = format!(
        "#else\nstatic void {name}(const u64* in, u64* out) {{\n    static T all[THREADS], old[THREADS];\n    \
         for (u32 l = 0; l < THREADS; l++) {{ begin(&all[l], in + l * INPUTS); }}\n"
    );
    for (n, phase) in program.phases.iter().enumerate() {
        let rounds = phase.rounds;
        let repeat = format!("    for (u32 round = 0; round < {rounds}u; round++) {{\n");
        _ = writeln!(device, "{repeat}        phase{n}(t, lane);");
        _ = writeln!(host, "{repeat}        for (u32 l = 0; l < THREADS; l++) {{ phase{n}(&all[l], l); }}");
        if program.links.is_some() {
            _ = writeln!(device, "        {}", links::call("t", "lane"));
            _ = writeln!(host, "        for (u32 l = 0; l < THREADS; l++) {{ {} }}", links::call("(&all[l])", "l"));
        }
        for cross in &phase.cross {
            _ = writeln!(device, "        {}", cross.device());
            _ = writeln!(host, "        memcpy(old, all, sizeof all);\n        {}", cross.host());
        }
        device += "    }\n";
        host += "    }\n";
    }
    device += "    end(t, out + lane * OUTPUTS);\n}\n";
    host += "    for (u32 l = 0; l < THREADS; l++) { end(&all[l], out + l * OUTPUTS); }\n}\n#endif\n";
    (device, host)
}

pub(super) fn head() -> String {
    format!("#define THREADS {THREADS}u\n#define INPUTS {INPUTS}u\n#define OUTPUTS {OUTPUTS}u\n{PRELUDE}")
}

/// The source for the device: a kernel for each program.
pub fn device(programs: &[Program]) -> String {
    head() + &programs.iter().map(shared).collect::<String>()
}

/// The source for the host: a program that reads the inputs of each program from its first argument
/// and writes the outputs to its second.
pub fn host(programs: &[Program]) -> String {
    let calls: String = programs.iter().map(|p| format!("    one({}, from, to);\n", p.name())).collect();
    let main = format!(
        "int main(int count, char** names) {{\n    if (count != 3) {{ return 2; }}\n    FILE* from = fopen(names[1], \"rb\");\n    \
         FILE* to = fopen(names[2], \"wb\");\n    if (from == NULL || to == NULL) {{ return 3; }}\n{calls}    return fclose(to) == 0 ? 0 : 4;\n}}\n"
    );
    device(programs) + &main
}
