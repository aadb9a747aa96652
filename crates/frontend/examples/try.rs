use raddle_frontend::llvm::Llvm;
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::*;
use std::collections::BTreeMap;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let t = Instant::now();
    let llvm = Llvm::load(std::path::Path::new(&args[1]), &[]).unwrap();
    println!("{:?} loaded {:?}", llvm.version, t.elapsed());
    let settings = Settings {
        arch: "sm_90".into(),
        sm: 90,
        level: 3,
        ftz: false,
        prec_div: true,
        prec_sqrt: true,
        fmad: true,
        debug: false,
        relocatable: false,
    };
    let lib = std::path::Path::new("/root/.cache/raddle/oracles/site/nvidia/cu13/nvvm/libdevice/libdevice.10.bc");
    let mut simple = vec![];
    for name in &args[2..] {
        let t = Instant::now();
        let bytes = std::fs::read(name).unwrap();
        let s = simplify(llvm, &settings, (name, &bytes), name, Some(lib)).unwrap();
        println!("{name} simplified {:?} {:?} {} bytes", t.elapsed(), s.warnings, s.bitcode.len());
        simple.push((name.as_str(), s.bitcode));
    }
    let t = Instant::now();
    let list: Vec<(&str, &[u8])> = simple.iter().map(|(a, b)| (*a, &b[..])).collect();
    let linked = link(llvm, &settings, &list).unwrap();
    println!("linked {:?} {:?}", t.elapsed(), linked.warnings);
    for s in &linked.summary.symbols {
        println!("{s:?}");
    }
    std::fs::write("/tmp/ir/whole.bc", &linked.bitcode).unwrap();
    let roles: BTreeMap<String, Treatment> = linked
        .summary
        .symbols
        .iter()
        .filter(|s| s.is_defined())
        .map(|s| (s.name.clone(), Treatment::Defined))
        .collect();
    let t = Instant::now();
    let (ptx, w) = part(llvm, &settings, std::path::Path::new("/tmp/ir/whole.bc"), "all", &roles).unwrap();
    println!("part {:?} {w:?}\n{ptx}", t.elapsed());
}
