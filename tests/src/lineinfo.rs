//! PTX with line information, in parts that the tests of lines combine.

/// The header of a module.
pub const HEADER: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A function of a number with a number as result, the register `%x2`: each place (`FILE LINE
/// COLUMN`, and optional further parts of a `.loc`) with its instruction. The argument is in `%x1`,
/// loaded at the first place.
pub fn function(linkage: &str, name: &str, lines: &[(&str, &str)]) -> String {
    let mut out = format!("{linkage}.func (.param .b32 r) {name}(.param .b32 a)\n{{\n.reg .b32 %x<4>;\n");
    for (number, (place, instruction)) in lines.iter().enumerate() {
        let load = if number == 0 { "ld.param.b32 %x1, [a];\n" } else { "" };
        out += &format!(".loc {place}\n{load}{instruction}\n");
    }
    out + "st.param.b32 [r], %x2;\nret;\n}\n"
}

/// The kernel `ka`, without its end: places of [`FILES`], functions inlined one and two levels
/// deep, a call of `mix`, whose result is in `%r5`. The kernel's memory is at `%rd1`.
pub const CALLER: &str = "\
.visible .entry ka(.param .u64 p)
{
.reg .b32 %r<9>;
.reg .b64 %rd<5>;
ld.param.u64 %rd1, [p];
.loc 1 10 3
ld.global.u32 %r1, [%rd1];
.loc 1 13 9
.loc 2 5 1, function_name $L__s, inlined_at 1 13 9
mul.lo.s32 %r4, %r1, %r1;
st.global.u32 [%rd1], %r4;
.loc 1 14 9
st.global.u32 [%rd1+4], %r4;
.loc 2 6 1, function_name $L__t, inlined_at 2 5 1
st.global.u32 [%rd1+8], %r4;
.loc 1 15 2
{
.param .b32 x; .param .b32 y;
st.param.b32 [x], %r4;
call (y), mix, (x);
ld.param.b32 %r5, [y];
}
";

/// Files and names of inlined functions; the name `sqr` is at `$L__s`, `t` at `$L__t`.
pub const FILES: &str = "\
.file 1 \"/project/src/a.cu\"
.file 2 \"inc/b.h\"
.file 3 \"c.cu\"
.file 4 \"/never/used.cu\"
.section .debug_str
{
$L__s:
.b8 115,113,114,0,115,0
$L__t:
.b8 116,0
}
";
