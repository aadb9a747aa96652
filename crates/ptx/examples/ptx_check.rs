//! Checks PTX files and prints the errors in each: `cargo run -p raddle-ptx --example ptx_check
//! FILE...`.

use raddle_diag::{Diags, SourceMap};
use raddle_ptx::{Scratch, outline, parse_body_with};

fn main() {
    let mut failed = 0;
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let mut map = SourceMap::new();
        let Ok(file) = map.add(path.clone(), text.as_str()) else { continue };
        let mut diags = Diags::new();
        let out = outline(&text, file, &mut diags);
        let mut scratch = Scratch::new();
        let mut insts = 0;
        for (id, _) in out.funcs.iter() {
            insts += parse_body_with(&mut scratch, &text, file, &out, id, &mut diags).insts.len();
        }
        if diags.has_errors() {
            failed += 1;
        }
        for d in diags.iter() {
            let line = d.span().and_then(|s| Some((map.get(s.file)?, s))).map(|(f, s)| f.place(s.start as usize));
            let (line, column) = line.map_or((0, 0), |p| (p.line, p.column));
            println!("{path}:{line}:{column}: {} {}", d.code, d.message);
        }
        let _ = insts;
    }
    std::process::exit(i32::from(failed > 0));
}
