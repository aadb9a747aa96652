//! The corpus parses without errors, and every body has the expected content.

use raddle_diag::{Diags, SourceMap};
use raddle_filetest::corpus::ptx;
use raddle_ptx::{Body, Outline, Scratch, outline, parse_body_with};

fn parse(text: &str) -> (Outline, Vec<Body>, Vec<String>) {
    let mut map = SourceMap::new();
    let file = map.add("t", text).unwrap();
    let mut diags = Diags::new();
    let out = outline(text, file, &mut diags);
    let mut scratch = Scratch::new();
    let bodies = out.funcs.keys().map(|id| parse_body_with(&mut scratch, text, file, &out, id, &mut diags)).collect();
    let place = |d: &raddle_diag::Diagnostic| d.span().map(|s| map.get(file).unwrap().place(s.start as usize));
    let errors = diags.iter().map(|d| format!("{:?} {} {}", place(d), d.code, d.message)).collect();
    (out, bodies, errors)
}

fn clean(name: &str, least: usize) {
    let files = ptx(&[name]);
    assert!(files.len() >= least, "{name}: {} files", files.len());
    let mut insts = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let (out, bodies, errors) = parse(&text);
        assert_eq!(errors, Vec::<String>::new(), "{}", path.display());
        assert!(!out.items.is_empty());
        insts += bodies.iter().map(|b| b.insts.len()).sum::<usize>();
    }
    assert!(insts > least, "{name}: {insts} instructions");
}

#[test]
fn snippets_parse() {
    clean("snippets", 395);
}

#[test]
fn producers_parse() {
    clean("producers", 218);
}

#[test]
fn kernels_parse() {
    clean("kernels", 2);
}

fn print(text: &str) -> String {
    let (out, bodies, _) = parse(text);
    let mut bodies: Vec<Option<Body>> = bodies.into_iter().map(Some).collect();
    raddle_ptx::print_module(text, &out, |id| bodies[id.as_u32() as usize].take().unwrap())
}

/// Printing and reading back is the identity.
fn round_trip(name: &str) {
    for path in ptx(&[name]) {
        let text = std::fs::read_to_string(&path).unwrap();
        let printed = print(&text);
        let (a, first, _) = parse(&text);
        let (b, second, errors) = parse(&printed);
        assert_eq!(errors, Vec::<String>::new(), "{}", path.display());
        assert_eq!(a.funcs.len(), b.funcs.len());
        for ((id, f), (x, y)) in a.funcs.iter().zip(first.into_iter().zip(second)) {
            assert_eq!((&f.name, &f.params, &f.perf), (&b.funcs[id].name, &b.funcs[id].params, &b.funcs[id].perf));
            assert!(x.without_places() == y.without_places(), "{}: {}", path.display(), f.name);
        }
        assert!(print(&printed) == printed, "{}", path.display());
    }
}

#[test]
fn snippets_print_and_read_back() {
    round_trip("snippets");
}

#[test]
fn producers_print_and_read_back() {
    round_trip("producers");
}

#[test]
fn kernels_print_and_read_back() {
    round_trip("kernels");
}

#[test]
fn a_written_offset_of_zero_is_kept() {
    let head = ".version 9.0\n.target sm_90, debug\n.address_size 64\n.visible .entry k()\n{\n.reg .b64 %rd<3>;\n";
    let text = format!("{head}st.u32 [%rd1+0], 1;\nst.u32 [%rd1], 1;\n}}\n");
    assert!(print(&text).contains("[%rd1+0], 1;\nst.u32 [%rd1], 1;"), "{}", print(&text));
}
