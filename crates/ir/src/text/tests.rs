//! Tests of the text form.

use super::*;

const LOOP: &str = r#"kernel count
  params 0:8 8:4
  bounds maxntid 256,1,1 minnctapersm 2 maxnreg 40
  slot s0 shared 1024 align 16 "tile"
  slot s1 shared 0 align 16 dynamic "extra"
  sym g0 "table"
  sym g1 foreign align 1 "f"
  sym g2 foreign "g"
  foreign addresses
b0:
  v0: b32 = special.tid_x @3:20
  v1: b32 = const.0
  jump b1(v0, v1)
b1(v2: b32, v3: b32) rolled:
  v4: b32, v5: p = addc v2, v3, v7
  v6: b32 = load.shared.b32.1.volatile.sys.-4 v4
  v7: p = icmp.lt.s v4, v6
  branch uniform v7, b1(v4, v6), b2 @4:99
b2:
  v8: b32 = slotaddr.s0.4
  v9: b32 = fadd.f32.rn.ftz.sat v4, v8
  switch v8, b3, b3
b3:
  exit
end
"#;

#[test]
fn text_reads_back_to_the_same_text() {
    let fs = parse(LOOP).unwrap();
    assert_eq!(print(&fs[0]), LOOP);
    assert_eq!(parse(&print(&fs[0])).unwrap(), fs);
}

#[test]
fn a_block_without_an_end_reads_back() {
    let open = LOOP.replace("  exit\n", "  unfinished\n");
    let fs = parse(&open).unwrap();
    assert!(fs[0].blocks.values().any(|b| b.term.is_none()));
    assert_eq!(print(&fs[0]), open);
}

#[test]
fn errors_name_the_line() {
    let broken = LOOP.replace("slotaddr.s0.4", "slotadr.s0.4");
    assert_eq!(parse(&broken).unwrap_err(), ParseError { line: 20, what: "`slotadr.s0.4` is not an operation".into() });
    assert_eq!(parse("kernel k\nb0:\n  exit\n").unwrap_err().line, 1);
    assert_eq!(parse(&LOOP.replace("v4, v8", "v4, v77")).unwrap_err().what, "v77 is not defined");
}
