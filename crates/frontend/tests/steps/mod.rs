//! Steps of the front end on small programs of textual IR, run once for each version of LLVM: a
//! process loads one library.

use raddle_frontend::llvm::Llvm;
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::{Source, StepError, Treatment, Wanted, extract, inspect, link, part, print, simplify};
use raddle_frontend::summary::{Kind, Linkage, Space, Summary, Symbol, Visibility};
use std::collections::BTreeMap;

/// Two kernels, a variable, a function of another module, a local function.
pub const FIRST: &str = r#"
source_filename = "first.cu"
target triple = "nvptx64-nvidia-cuda"
@counter = addrspace(1) global i32 7, align 4
@tile = internal addrspace(3) global [64 x i32] undef, align 4
define internal i32 @helper(i32 %x) noinline {
  %c = load i32, ptr addrspace(1) @counter
  %y = mul i32 %x, %c
  ret i32 %y
}
declare i32 @other(i32)
define ptx_kernel void @one(ptr addrspace(1) %p) #0 {
  %x = load i32, ptr addrspace(1) %p
  %y = call i32 @helper(i32 %x)
  %z = call i32 @other(i32 %y)
  store i32 %z, ptr addrspace(1) %p
  ret void
}
define void @two(ptr addrspace(1) %p, i32 %n) {
  %x = call i32 @helper(i32 %n)
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %n
  store volatile i32 %x, ptr addrspace(3) %at
  %y = load volatile i32, ptr addrspace(3) %at
  store i32 %y, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "raddle-priority"="7" "target-cpu"="sm_90" }
!nvvm.annotations = !{!0}
!0 = !{ptr @two, !"kernel", i32 1}
"#;

/// A function that the first module calls, and a local one of the same name as there.
pub const SECOND: &str = r#"
source_filename = "second.cu"
target triple = "nvptx64-nvidia-cuda"
define internal i32 @helper(i32 %x) noinline {
  %y = xor i32 %x, 12345
  ret i32 %y
}
define i32 @other(i32 %x) {
  %y = call i32 @helper(i32 %x)
  ret i32 %y
}
"#;

pub fn settings() -> Settings {
    Settings {
        arch: "sm_90".into(),
        sm: 90,
        level: 2,
        ftz: None,
        prec_div: true,
        prec_sqrt: true,
        fmad: true,
        debug: false,
        locate: false,
        relocatable: false,
        keep: Vec::new(),
        owned: Vec::new(),
    }
}

pub fn symbol<'s>(summary: &'s Summary, start: &str) -> &'s Symbol {
    let mut found = summary.symbols.iter().filter(|symbol| symbol.name.starts_with(start));
    let symbol = found.next().unwrap_or_else(|| panic!("{start} in {summary:#?}"));
    assert!(found.next().is_none(), "{start} is not unique");
    symbol
}

/// Simplifies and links modules.
pub fn program(
    llvm: &'static Llvm,
    settings: &Settings,
    modules: &[(&str, &str)],
) -> Result<(Vec<u8>, Summary), StepError> {
    let mut simple = Vec::new();
    for (name, text) in modules {
        simple.push((*name, simplify(llvm, settings, (name, text.as_bytes()), None)?.bitcode));
    }
    let inputs: Vec<(&str, &[u8])> = simple.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    let linked = link(llvm, settings, &inputs)?;
    Ok((linked.bitcode, linked.summary))
}

/// The bitcode of a part of a program in a temporary file.
pub fn extracted(llvm: &'static Llvm, bitcode: &[u8], symbols: &[(&str, Treatment)]) -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bitcode).unwrap();
    let wanted = |&(name, treatment): &(&str, Treatment)| (name.to_owned(), Wanted { treatment, module: 0 });
    let symbols: BTreeMap<String, Wanted> = symbols.iter().map(wanted).collect();
    let source = Source { path: file.path().to_owned(), modules: vec![None] };
    extract(llvm, &source, "part", &symbols, true).unwrap()
}

/// Compiles a part of a program.
pub fn compiled(llvm: &'static Llvm, bitcode: &[u8], symbols: &[(&str, Treatment)]) -> String {
    part(llvm, &settings(), "part", &extracted(llvm, bitcode, symbols)).unwrap().0
}

pub fn two_modules_are_one_program(llvm: &'static Llvm) {
    let (bitcode, summary) = program(llvm, &settings(), &[("a", FIRST), ("b", SECOND)]).unwrap();
    for kernel in ["one", "two"] {
        let symbol = symbol(&summary, kernel);
        assert_eq!((symbol.kind, symbol.linkage), (Kind::Kernel, Linkage::External));
    }
    assert_eq!([symbol(&summary, "one").priority, symbol(&summary, "two").priority], [7, 0]);
    let counter = symbol(&summary, "counter");
    assert_eq!((counter.kind, counter.linkage, counter.size), (Kind::Variable(Space::Global), Linkage::External, 4));
    let tile = symbol(&summary, "tile__");
    assert_eq!((tile.kind, tile.linkage, tile.size), (Kind::Variable(Space::Shared), Linkage::Internal, 256));
    assert_eq!(
        symbol(&summary, "other").linkage,
        Linkage::Internal,
        "only kernels and variables are seen from outside"
    );
    let helpers: Vec<&Symbol> = summary.symbols.iter().filter(|symbol| symbol.name.starts_with("helper__")).collect();
    assert_eq!(helpers.len(), 2, "{summary:#?}");
    let at = |name: &str| summary.symbols.iter().position(|symbol| symbol.name == name).unwrap() as u32;
    let one = symbol(&summary, "one");
    let helper = helpers.iter().find(|helper| one.uses.iter().any(|used| used.symbol == at(&helper.name))).unwrap();
    let used = one.uses.iter().find(|used| used.symbol == at(&helper.name)).unwrap();
    assert!((used.calls, used.address) == (1, false) && helper.copyable);

    let all: Vec<(&str, Treatment)> = summary.symbols.iter().map(|s| (s.name.as_str(), Treatment::Defined)).collect();
    let ptx = compiled(llvm, &bitcode, &all);
    assert!(ptx.contains(".visible .entry one(") && ptx.contains(".visible .entry two("), "{ptx}");
    assert!(ptx.contains("12345") && !ptx.contains(".func  (.param .b32 func_retval0) other"), "inlined: {ptx}");
}

pub fn a_part_has_what_it_is_given_and_declares_the_rest(llvm: &'static Llvm) {
    let (bitcode, summary) = program(llvm, &settings(), &[("a", FIRST), ("b", SECOND)]).unwrap();
    let tile = symbol(&summary, "tile__").name.clone();
    let helper = |part: &str| {
        let uses = &symbol(&summary, part).uses;
        let mut names = uses.iter().map(|used| summary.symbols[used.symbol as usize].name.clone());
        names.find(|name| name.starts_with("helper__")).unwrap()
    };
    let local = helper("two");
    let two = [
        ("two", Treatment::Defined),
        (&*local, Treatment::Copied),
        (&*tile, Treatment::Copied),
        ("counter", Treatment::Declared),
    ];
    let ptx = compiled(llvm, &bitcode, &two);
    assert!(ptx.contains(".entry two(") && !ptx.contains(".entry one("), "{ptx}");
    assert!(ptx.contains(".extern .global .align 4 .u32 counter;"), "{ptx}");
    assert!(
        ptx.contains(&format!(".func  (.param .b32 func_retval0) {local}")) && !ptx.contains(".visible .func"),
        "{ptx}"
    );
    let shared = [
        ("two", Treatment::Declared),
        (&*local, Treatment::Promoted),
        (&*tile, Treatment::Promoted),
        ("counter", Treatment::Defined),
    ];
    let ptx = compiled(llvm, &bitcode, &shared);
    assert!(
        !ptx.contains(".entry") && ptx.contains(&format!(".visible .func  (.param .b32 func_retval0) {local}")),
        "{ptx}"
    );
    assert!(ptx.contains(".visible .global .align 4 .u32 counter = 7;"), "{ptx}");
    assert!(ptx.contains(&format!(".visible .shared .align 4 .b8 {tile}[256]")), "{ptx}");
}

pub fn the_architecture_is_read_and_other_machines_are_refused(llvm: &'static Llvm) {
    assert_eq!(inspect(llvm, "a", FIRST.as_bytes()), Ok(Some("sm_90".to_owned())));
    assert_eq!(inspect(llvm, "b", SECOND.as_bytes()), Ok(None));
    let host = SECOND.replace("nvptx64-nvidia-cuda", "x86_64-unknown-linux-gnu");
    let why = inspect(llvm, "b", host.as_bytes()).unwrap_err().to_string();
    assert!(why.contains("x86_64-unknown-linux-gnu") && why.contains("nvptx64-nvidia-cuda"), "{why}");
    let layout = |layout: &str| inspect(llvm, "b", format!("target datalayout = \"{layout}\"\n{SECOND}").as_bytes());
    for known in [
        "e-i64:64-i128:128-v16:16-v32:32-n16:32:64",
        "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64",
        "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-n16:32:64",
    ] {
        assert_eq!(layout(known), Ok(None), "{known}");
    }
    for (other, what) in [
        ("e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128", "(m:e)"),
        ("e-p:32:32-i64:64-v16:16-v32:32-n16:32:64", "(p:32:32)"),
        ("E-i64:64-n32:64", "the highest byte first"),
        ("e-p:64:64-p5:32:32-i64:64-n32:64-S32-A5", "(A5)"),
        ("e-p:64:64-i64:32-n32", "(i64:32)"),
    ] {
        let why = layout(other).unwrap_err().to_string();
        assert!(why.contains("data layout") && why.contains(what) && why.contains("nvptx64-nvidia-cuda"), "{why}");
    }
    let why = inspect(llvm, "b", b"define i32 @f( {").unwrap_err().to_string();
    assert!(why.contains("b:1:"), "{why}");
    let why = inspect(llvm, "b", b"BC\xc0\xde\x35\x14\0\0\x07").unwrap_err().to_string();
    assert!(!why.is_empty());
}

pub fn reflection_follows_the_settings_and_the_library_is_named_if_missing(llvm: &'static Llvm) {
    let text = r#"
target triple = "nvptx64-nvidia-cuda"
@.str = private constant [17 x i8] c"__CUDA_PREC_SQRT\00"
@.ftz = private constant [11 x i8] c"__CUDA_FTZ\00"
declare i32 @__nvvm_reflect(ptr)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = call i32 @__nvvm_reflect(ptr @.str)
  %b = call i32 @__nvvm_reflect(ptr @.ftz)
  %c = shl i32 %b, 8
  %d = or i32 %a, %c
  store i32 %d, ptr addrspace(1) %p
  ret void
}
"#;
    for (prec_sqrt, ftz, number) in [(true, false, 1), (false, true, 256), (true, true, 257)] {
        let settings = Settings { prec_sqrt, ftz: Some(ftz), ..settings() };
        let (bitcode, _) = program(llvm, &settings, &[("a", text)]).unwrap();
        let ptx = compiled(llvm, &bitcode, &[("k", Treatment::Defined)]);
        let stores = [format!(", {number};"), format!("b32 \t%r1, {number};")];
        assert!(stores.iter().any(|store| ptx.contains(store)), "{number} in {ptx}");
    }
    let sine = "target triple = \"nvptx64-nvidia-cuda\"\ndeclare float @__nv_sinf(float)\n\
                define ptx_kernel void @k(float %x) { %y = call float @__nv_sinf(float %x) ret void }";
    let why = simplify(llvm, &settings(), ("a", sine.as_bytes()), None).unwrap_err().to_string();
    assert!(why.contains("libdevice"), "{why}");
}

pub fn the_order_of_symbols_in_a_summary_is_that_of_names(llvm: &'static Llvm) {
    let (_, there) = program(llvm, &settings(), &[("a", FIRST), ("b", SECOND)]).unwrap();
    let (_, back) = program(llvm, &settings(), &[("b", SECOND), ("a", FIRST)]).unwrap();
    assert_eq!(there, back);
}

pub fn definitions_that_clash_are_an_error_that_names_the_input(llvm: &'static Llvm) {
    let why = program(llvm, &settings(), &[("a", SECOND), ("b", SECOND)]).unwrap_err().to_string();
    assert!(why.contains("'b'") && why.contains("other"), "{why}");
}

pub fn visibility_in_a_part_is_that_of_the_program(llvm: &'static Llvm) {
    let text = r#"
source_filename = "seen.cu"
target triple = "nvptx64-nvidia-cuda"
@h = hidden addrspace(1) global i32 3
@p = protected addrspace(1) global i32 4
@l = internal addrspace(1) global i32 5
define hidden i32 @f(i32 %x) noinline {
  %a = load volatile i32, ptr addrspace(1) @p
  %b = load volatile i32, ptr addrspace(1) @l
  %c = add i32 %a, %b
  %y = add i32 %x, %c
  ret i32 %y
}
define dso_local ptx_kernel void @k(ptr addrspace(1) %q) {
  %x = load volatile i32, ptr addrspace(1) @h
  %y = call i32 @f(i32 %x)
  store i32 %y, ptr addrspace(1) %q
  ret void
}
"#;
    let relocatable = Settings { relocatable: true, ..settings() };
    let (bitcode, summary) = program(llvm, &relocatable, &[("a", text)]).unwrap();
    let visible = |name| symbol(&summary, name).visibility;
    assert_eq!(
        [visible("h"), visible("p"), visible("f")],
        [Visibility::Hidden, Visibility::Protected, Visibility::Hidden]
    );
    let local = symbol(&summary, "l__").name.clone();
    let part = |symbols: &[(&str, Treatment)]| {
        let bitcode = extracted(llvm, &bitcode, symbols);
        print(llvm, "part", &bitcode).unwrap()
    };
    let text = part(&[
        ("k", Treatment::Defined),
        ("f", Treatment::Declared),
        ("h", Treatment::Defined),
        ("p", Treatment::Declared),
        (&local, Treatment::Promoted),
    ]);
    for line in ["@h = hidden ", "define dso_local ptx_kernel void @k("] {
        assert!(text.contains(line), "no {line} in {text}");
    }
    assert!(text.contains("define available_externally hidden i32 @f("), "{text}");
    let text = part(&[
        ("f", Treatment::Defined),
        ("p", Treatment::Defined),
        ("k", Treatment::Declared),
        ("h", Treatment::Declared),
        (&local, Treatment::Local),
    ]);
    for line in ["@p = protected ", "define hidden i32 @f(", &format!("@{local} = internal ")] {
        assert!(text.contains(line), "no {line} in {text}");
    }
}

pub fn bitcode_can_be_printed(llvm: &'static Llvm) {
    let (bitcode, _) = program(llvm, &settings(), &[("a", FIRST), ("b", SECOND)]).unwrap();
    let text = print(llvm, "program", &bitcode).unwrap();
    assert!(text.contains("define ptx_kernel void @one("), "{text}");
    assert!(print(llvm, "program", b"no bitcode").is_err());
}

/// The tests of a version.
macro_rules! tests {
    ($version:literal, $($name:ident)*) => {$(
        #[test]
        fn $name() {
            let Some(path) = raddle_filetest::llvm::require($version) else { return };
            let llvm = raddle_frontend::llvm::Llvm::load(&path, &[]).unwrap();
            assert_eq!(llvm.version.0, $version);
            $crate::steps::$name(llvm);
        }
    )*};
    ($version:literal) => {
        $crate::steps::tests!($version,
            two_modules_are_one_program
            a_part_has_what_it_is_given_and_declares_the_rest
            the_architecture_is_read_and_other_machines_are_refused
            reflection_follows_the_settings_and_the_library_is_named_if_missing
            the_order_of_symbols_in_a_summary_is_that_of_names
            definitions_that_clash_are_an_error_that_names_the_input
            visibility_in_a_part_is_that_of_the_program
            bitcode_can_be_printed
        );
    };
}
pub(crate) use tests;
