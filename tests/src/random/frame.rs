//! The prologue and epilogue of a random kernel: registers are initialised and stored.
//!
//! Problem: every register is initialised before the statements and checked after them; but
//! registers that no statement uses would take most of the time of a campaign, above all in small
//! kernels and in functions. Strategy: only registers that statements use are set and stored; one
//! kernel of [`EVERYTHING`] uses all of them, so that there are idle live values, too.
//!
//! Invariants: the offsets of registers in the rows of inputs and outputs do not depend on which
//! ones are used; every register that is read is written in the prologue.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::registers::{BANKS, Bank, Register, all};
use super::tree::{LOCAL_AT, PLACE, ROW, SHARED_AT};

/// One kernel of this number sets and stores everything.
pub const EVERYTHING: usize = 8;

/// The registers used in a text.
pub struct Named<'a> {
    names: HashSet<&'a str>,
    everything: bool,
}

impl<'a> Named<'a> {
    /// The registers used in `text`, or all of them.
    pub fn of(text: &'a str, everything: bool) -> Self {
        let ends = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let names = text.split('%').skip(1).map(|rest| &rest[..ends(rest)]).collect();
        Self { names, everything }
    }

    /// Whether one of these is used: names without `%`.
    fn any(&self, names: &[&str]) -> bool {
        self.everything || names.iter().any(|name| self.names.contains(name))
    }

    /// The registers stored in the rows, with the numbers of their slots.
    fn registers(&self) -> impl Iterator<Item = (usize, Register)> {
        all().enumerate().filter(|(_, register)| self.any(&[&register.to_string()[1..]]))
    }

    /// The memory of the thread stored in the rows: space, register of its address, offset in the
    /// rows.
    fn places(&self) -> impl Iterator<Item = (&'static str, &'static str, usize)> {
        let shared = self.any(&["as", "as64", "gs"]).then_some(("shared", "%as", SHARED_AT));
        shared.into_iter().chain(self.any(&["al", "gl"]).then_some(("local", "%al", LOCAL_AT)))
    }
}

/// Adds a line to a text.
pub fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    out.write_fmt(text).unwrap_or_default();
    out.push('\n');
}

/// Declares all registers.
pub fn declare(out: &mut String) {
    for (_, name, ty, _, count) in BANKS {
        line(out, format_args!("    .reg .{ty} {name}<{count}>;"));
    }
    out.push_str("    .reg .pred %tp<4>;\n    .reg .b16 %th<8>;\n    .reg .b32 %tr<8>;\n    .reg .b64 %tl<8>;\n");
    out.push_str("    .reg .b32 %k<64>;\n    .reg .b32 %thread, %row, %flags, %as;\n");
    out.push_str("    .reg .b64 %ain, %aout, %ag, %acell, %as64, %al, %ac, %gs, %gl, %policy;\n");
}

/// Initialises everything that a statement may use.
pub fn prologue(out: &mut String, named: &Named<'_>) {
    for text in [
        "ld.param.u64 %ain, [pin];",
        "ld.param.u64 %aout, [pout];",
        "cvta.to.global.u64 %ain, %ain;",
        "cvta.to.global.u64 %aout, %aout;",
        "mov.u32 %thread, %tid.x;",
        "mov.u32 %tr0, %ctaid.x;",
        "mov.u32 %tr1, %ntid.x;",
        "mad.lo.u32 %row, %tr0, %tr1, %thread;",
    ] {
        line(out, format_args!("    {text}"));
    }
    line(out, format_args!("    mad.wide.u32 %ain, %row, {ROW}, %ain;"));
    line(out, format_args!("    mad.wide.u32 %aout, %row, {ROW}, %aout;"));
    if named.any(&["flags"]) {
        line(out, format_args!("    ld.param.u32 %flags, [pflags];"));
    }
    if named.any(&["ag"]) {
        line(out, format_args!("    ld.param.u64 %ag, [pscratch];\n    cvta.to.global.u64 %ag, %ag;"));
        line(out, format_args!("    mad.wide.u32 %ag, %row, {PLACE}, %ag;"));
    }
    if named.any(&["acell"]) {
        line(out, format_args!("    ld.param.u64 %acell, [pcells];\n    cvta.to.global.u64 %acell, %acell;"));
    }
    if named.any(&["as", "as64", "gs"]) {
        line(out, format_args!("    mov.u32 %as, ks;\n    mad.lo.u32 %as, %thread, {PLACE}, %as;"));
        line(out, format_args!("    cvt.u64.u32 %as64, %as;\n    cvta.shared.u64 %gs, %as64;"));
    }
    if named.any(&["al", "gl"]) {
        line(out, format_args!("    mov.u64 %al, kl;\n    cvta.local.u64 %gl, %al;"));
    }
    if named.any(&["ac"]) {
        line(out, format_args!("    mov.u64 %ac, kc;"));
    }
    if named.any(&["policy"]) {
        line(out, format_args!("    mov.b64 %policy, 0x1000000000000000;"));
    }
    for (space, place, base) in named.places() {
        for at in (0..PLACE).step_by(16) {
            line(out, format_args!("    ld.global.v4.b32 {{%tr0, %tr1, %tr2, %tr3}}, [%ain+{}];", base + at));
            line(out, format_args!("    st.{space}.v4.b32 [{place}+{at}], {{%tr0, %tr1, %tr2, %tr3}};"));
        }
    }
    for (n, register) in named.registers() {
        let at = n * 8;
        match register.bank {
            Bank::P => {
                line(out, format_args!("    ld.global.b32 %tr0, [%ain+{at}];"));
                line(out, format_args!("    setp.ne.u32 {register}, %tr0, 0;"));
            }
            bank => line(out, format_args!("    ld.global.b{} {register}, [%ain+{at}];", bank.bits())),
        }
    }
}

/// Stores the registers, and the thread's own shared and local memory.
pub fn epilogue(out: &mut String, named: &Named<'_>) {
    out.push_str("END:\n");
    for (n, register) in named.registers() {
        let at = n * 8;
        match register.bank {
            Bank::P => {
                line(out, format_args!("    selp.b32 %tr0, 1, 0, {register};"));
                line(out, format_args!("    st.global.b32 [%aout+{at}], %tr0;"));
            }
            bank => line(out, format_args!("    st.global.b{} [%aout+{at}], {register};", bank.bits())),
        }
    }
    for (space, place, base) in named.places() {
        for at in (0..PLACE).step_by(16) {
            line(out, format_args!("    ld.{space}.v4.b32 {{%tr0, %tr1, %tr2, %tr3}}, [{place}+{at}];"));
            line(out, format_args!("    st.global.v4.b32 [%aout+{}], {{%tr0, %tr1, %tr2, %tr3}};", base + at));
        }
    }
    out.push_str("    ret;\n");
}

/// A function of a 32-bit and a 64-bit argument: its registers are initialised from them, and its
/// result combines them.
pub fn function(out: &mut String, n: usize, body: &str, named: &Named<'_>) {
    line(out, format_args!("\n.func (.param .b32 result) fn{n}(.param .b32 narrow, .param .b64 wide)\n{{"));
    declare(out);
    out.push_str("    ld.param.b32 %tr0, [narrow];\n    ld.param.b64 %tl0, [wide];\n");
    for (n, register) in named.registers() {
        match register.bank {
            Bank::P => line(out, format_args!("    setp.lt.s32 {register}, %tr0, {n};")),
            bank if bank.bits() == 16 => {
                line(out, format_args!("    add.u32 %tr1, %tr0, {n};\n    cvt.u16.u32 {register}, %tr1;"));
            }
            bank if bank.bits() == 32 => {
                line(out, format_args!("    add.u32 %tr1, %tr0, {n};\n    mov.b32 {register}, %tr1;"));
            }
            _ => line(out, format_args!("    add.u64 %tl1, %tl0, {n};\n    mov.b64 {register}, %tl1;")),
        }
    }
    out.push_str(body);
    out.push_str("    mov.b32 %tr0, 0;\n");
    for (_, register) in named.registers() {
        match register.bank {
            Bank::P => line(out, format_args!("    selp.b32 %tr1, 77, 0, {register};")),
            bank if bank.bits() == 16 => line(out, format_args!("    cvt.u32.u16 %tr1, {register};")),
            bank if bank.bits() == 32 => line(out, format_args!("    mov.b32 %tr1, {register};")),
            _ => line(out, format_args!("    mov.b64 {{%tr1, %tr2}}, {register};\n    xor.b32 %tr1, %tr1, %tr2;")),
        }
        out.push_str("    mad.lo.u32 %tr0, %tr0, 31, %tr1;\n");
    }
    out.push_str("    st.param.b32 [result], %tr0;\n    ret;\n}\n");
}
