//! Lowers every kernel of the corpus: results pass the verifier and survive printing and parsing,
//! unsupported instructions are counted.

use raddle_diag::{Diags, SourceMap};
use raddle_filetest::corpus::ptx;
use raddle_ir::{CodegenOptions, Cx, Stop, text, verify};
use raddle_lower::{Input, lower};
use raddle_ptx::{outline, parse_body};
use raddle_target::Target;
use std::collections::BTreeMap;

#[test]
fn lowered_kernels_verify_and_read_back() {
    let target = Target::by_name("sm_90").unwrap();
    let options = CodegenOptions::default();
    let mut lowered = 0;
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    for path in ptx(&["kernels", "modules", "producers", "snippets"]) {
        let source = std::fs::read_to_string(&path).unwrap();
        let mut map = SourceMap::new();
        let file = map.add(path.display().to_string(), source.as_str()).unwrap();
        let mut diags = Diags::new();
        let outline = outline(&source, file, &mut diags);
        for (func, _) in outline.kernels() {
            let body = parse_body(&source, file, &outline, func, &mut diags);
            let functions = outline.funcs.iter().filter(|(_, f)| !f.entry && f.body.is_some());
            let bodies = functions.map(|(id, _)| (id, parse_body(&source, file, &outline, id, &mut diags))).collect();
            if diags.has_errors() {
                continue;
            }
            let start = outline.funcs[func].text.start;
            let map = map.get(file).unwrap();
            let input = Input {
                outline: &outline,
                func,
                body: &body,
                bodies: &bodies,
                out_of_line: None,
                src: &source,
                line: &|at| map.line(start + at as usize) as u32,
                lines: None,
                serial_products: None,
            };
            let cx = Cx::new(target, &options);
            let name = format!("{}: {}", path.file_stem().unwrap().display(), outline.funcs[func].name);
            match lower(&cx, &input) {
                Ok(f) => {
                    lowered += 1;
                    if let Err(errors) = verify::verify(&f) {
                        problems.push(format!("{name}: {}", errors.join("; ")));
                        continue;
                    }
                    let printed = text::print(&f);
                    match text::parse(&printed) {
                        Ok(back) if back.len() == 1 && text::print(&back[0]) == printed => {}
                        Ok(_) => problems.push(format!("{name}: printing and reading back changes the text")),
                        Err(e) => problems.push(format!("{name}: {e}")),
                    }
                }
                Err(Stop::Unsupported(list)) => {
                    for u in &list {
                        *refused.entry(format!("{} {}", u.what, u.why)).or_default() += 1;
                    }
                }
                Err(other) => problems.push(format!("{name}: {other}")),
            }
        }
    }
    let mut refused: Vec<_> = refused.into_iter().collect();
    refused.sort_by_key(|(what, n)| (std::cmp::Reverse(*n), what.clone()));
    println!("{lowered} kernels lowered; refused: {}", refused.len());
    for (what, n) in refused {
        println!("{n:6} {what}");
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert!(lowered > 300, "only {lowered} kernels lowered");
}
