//! Compares the attributes of our files (`.nv.info`, `.nv.compat`) with those of ptxas -O3 for the
//! same module, for executables and objects: the program and each function have the same attributes
//! with the same values, except those in a table, each with its reason.
//!
//! Where a row of the table allows a difference because the code differs, our attribute must be
//! true of our code: offsets must be those of the instructions that they stand for. A row that is
//! not needed fails. The order of attributes depends on the linker, and is not compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::elf::st;
use raddle_cubin::info::{Value, code, compat, compat_name, name};
use raddle_cubin::model::{Kind, Payload, SymbolPlace};
use raddle_cubin::view::Kernel;
use raddle_driver::options::OptLevel;
use raddle_filetest::corpus::{self, assemble, retargeted};
use raddle_filetest::oracle::{self, Oracle};
use raddle_sass::Op;
use raddle_target::Target;
use raddle_tests::compile::{How, cubin, object};

/// One architecture of each container's generation; modules alternate.
const ARCHS: [&str; 2] = ["sm_80", "sm_90"];

/// An attribute without a name in cuobjdump: pairs of 1 and the offset of an instruction that
/// spills (ptxas 13.0.88 output).
const SPILLS: u8 = 0x55;

/// The owner of attributes of `.nv.compat`; attributes of the program have none.
const COMPAT: &str = ".nv.compat";

/// The required property of our attribute where it differs.
enum Ours {
    /// Nothing that the file itself could show.
    Any,
    /// It is missing.
    Missing,
    /// Offsets of all instructions of these kinds, and of no others.
    At(&'static [Op]),
    /// Present if there is such an instruction.
    With(&'static [Op]),
    /// 255 in an executable.
    Unlimited,
    /// The undefined functions that its code refers to.
    Undefined,
}

/// An attribute that may differ: of functions or (`true`) of `.nv.compat`, its code, the property
/// of ours, and the reason.
type Row = (bool, u8, Ours, &'static str);

const DIFFERENT: &[Row] = &[
    (false, code::REGCOUNT, Ours::Any, "registers are allocated otherwise"),
    (false, code::FRAME_SIZE, Ours::Any, "other values are in memory"),
    (
        false,
        code::MIN_STACK_SIZE,
        Ours::Any,
        "so are frames; -1 where a recursion is one with us and a loop with ptxas",
    ),
    (false, code::EXIT_INSTR_OFFSETS, Ours::At(&[Op::Exit]), "other code"),
    (
        false,
        code::COOP_GROUP_INSTR_OFFSETS,
        Ours::At(&[Op::Shfl, Op::Match, Op::Warpsync, Op::Vote]),
        "other code; ptxas lists those that a warp's members may have to be gathered for, REDUX and barriers among them",
    ),
    (false, code::COOP_GROUP_MASK_REGIDS, Ours::Any, "one for each of those"),
    (false, code::INT_WARP_WIDE_INSTR_OFFSETS, Ours::Missing, "ptxas lets one thread of a warp add for all"),
    (false, code::INDIRECT_BRANCH_TARGETS, Ours::Any, "offsets in other code"),
    (
        false,
        code::ATOM16_EMUL_INSTR_REG_MAP,
        Ours::Missing,
        "describes ptxas' own loop to debuggers; ours has another shape",
    ),
    (
        false,
        code::SYSCALL_OFFSETS,
        Ours::Missing,
        "programs with calls are linked: nvlink's executables have none either",
    ),
    (false, code::CRS_STACK_SIZE, Ours::With(&[Op::Bssy]), "other branches diverge"),
    (
        false,
        code::EXTERNS,
        Ours::Undefined,
        "calls are where functions are inlined; ptxas lists what only variables have the address of with its first function",
    ),
    (
        false,
        code::MAXREG_COUNT,
        Ours::Unlimited,
        "what launch bounds leave is for who links a kernel with functions: in executables we say `.maxnreg` alone",
    ),
    (
        false,
        code::UNUSED_LOAD_BYTE_OFFSET,
        Ours::Missing,
        "for checkers of memory: a pragma of the producer, which is nothing to us",
    ),
    (false, SPILLS, Ours::Missing, "where ptxas spills"),
    (
        false,
        code::RESERVED_SMEM_USED,
        Ours::Missing,
        "these devices keep the system's bytes whether or not their address is used",
    ),
    (
        true,
        compat::ISA_CLASS,
        Ours::Any,
        "8-bit floats and fences of tensor maps are class 2 to ptxas; for finalizers of devices that cannot run this code anyway",
    ),
    (true, compat::CAN_FASTPATH_FINALIZE, Ours::Missing, "programs with calls are linked: nvlink leaves it out"),
];

/// Values by owner, whether they are of `.nv.compat`, and code.
type Facts = BTreeMap<(String, bool, u8), Vec<String>>;

/// Every attribute with its values, sorted.
fn facts(cubin: &Cubin) -> Result<Facts> {
    let mut out = Facts::new();
    let symbol = |number: u32| -> Result<&str> {
        let symbol = cubin.symbols.get(number as usize).with_context(|| format!("no symbol {number}"))?;
        Ok(match symbol.place {
            SymbolPlace::Section(number) if symbol.name.is_empty() => &cubin.sections[number as usize].name,
            _ => &symbol.name,
        })
    };
    for section in &cubin.sections {
        let Payload::Attributes(list) = &section.payload else { continue };
        let is_compat = section.name == COMPAT;
        let owner = section.name.strip_prefix(".nv.info").unwrap_or_default().trim_start_matches('.');
        for attribute in list {
            let (owner, value) = match &attribute.value {
                // In `.nv.info` the word of a symbol belongs to a function.
                Value::SymbolWord { symbol: of, value } if owner.is_empty() => (symbol(*of)?, format!("{value:#x}")),
                Value::SymbolWord { symbol: of, value } => (owner, format!("{} {value:#x}", symbol(*of)?)),
                Value::Symbols(list) => {
                    let mut names = list.iter().map(|&s| symbol(s)).collect::<Result<Vec<_>>>()?;
                    names.sort_unstable();
                    (owner, names.join(" "))
                }
                Value::ParamBank { symbol: of, offset, size } => {
                    (owner, format!("{} {offset:#x} {size:#x}", symbol(*of)?))
                }
                other => (owner, format!("{other:x?}")),
            };
            out.entry((owner.to_owned(), is_compat, attribute.code)).or_default().push(value);
        }
    }
    out.values_mut().for_each(|values| values.sort());
    Ok(out)
}

/// Offsets of a function's instructions of these kinds.
fn offsets(k: &Kernel<'_>, arch: &str, ops: &[Op]) -> Result<Vec<u32>> {
    let isa = Target::by_name(arch).and_then(|t| t.native.as_ref()).context("an architecture with tables")?.isa;
    let mut out = Vec::new();
    for (number, word) in k.code.chunks_exact(16).enumerate() {
        let inst =
            raddle_sass::decode(isa, u128::from_le_bytes(word.try_into()?)).map_err(|e| anyhow::anyhow!("{e}"))?;
        if ops.contains(&inst.op()) {
            out.push(16 * number as u32);
        }
    }
    Ok(out)
}

/// Checks that our attribute has the property in a row; `cubin` is ours.
fn is_true(row: &Row, ours: Option<&Vec<String>>, k: Option<&Kernel<'_>>, cubin: &Cubin, arch: &str) -> Result<()> {
    match (&row.2, k) {
        (Ours::Any, _) => {}
        (Ours::Missing, _) => ensure!(ours.is_none(), "ours has it"),
        (Ours::At(ops), Some(k)) => {
            let found = offsets(k, arch, ops)?;
            let words = (!found.is_empty()).then(|| vec![format!("{:x?}", Value::Words(found))]);
            ensure!(ours == words.as_ref(), "the instructions are at {words:?}");
        }
        (Ours::With(ops), Some(k)) => {
            ensure!(ours.is_some() || offsets(k, arch, ops)?.is_empty(), "not so in our code");
        }
        (Ours::Unlimited, _) => {
            let is_255 = ours.is_some_and(|list| list[..] == [format!("{:x?}", Value::Half(255))]);
            ensure!(is_255 && cubin.header.kind == Kind::Executable, "it is {ours:?}");
        }
        (Ours::Undefined, Some(k)) => {
            let symbols = cubin.relocations(k.section).map(|r| &cubin.symbols[r.symbol as usize]);
            let undefined = symbols.filter(|s| s.kind == st::FUNC && s.place == SymbolPlace::Undefined);
            let names = undefined.map(|s| &*s.name).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ");
            ensure!(ours.map_or("", |list| &list[0]) == names, "its code refers to {names:?}");
        }
        (_, None) => anyhow::bail!("it is of no function"),
    }
    Ok(())
}

/// Compares two files; rows that were needed are added to `used`, other differences to `bad`.
fn compare(
    ours: &Cubin,
    theirs: &Cubin,
    arch: &str,
    used: &mut BTreeSet<usize>,
    bad: &mut Vec<String>,
) -> Result<usize> {
    let (a, b) = (facts(ours)?, facts(theirs)?);
    let functions = ours.functions();
    let other: BTreeSet<&str> = theirs.functions().iter().map(|k| k.name).collect();
    let names: BTreeSet<&str> = functions.iter().map(|k| k.name).collect();
    // The compilers inline different functions, and ptxas adds some of its own.
    let kernels = |cubin: &Cubin| -> Vec<String> {
        let mut names: Vec<String> = cubin.kernels().iter().map(|k| k.name.to_owned()).collect();
        names.sort();
        names
    };
    if kernels(ours) != kernels(theirs) {
        bad.push(format!("kernels {:?} are {:?} with ptxas", kernels(ours), kernels(theirs)));
    }
    let mut compared = 0;
    for key in a.keys().chain(b.keys()).collect::<BTreeSet<_>>() {
        let (owner, is_compat, code) = key;
        let is_shared = names.contains(&**owner) && other.contains(&**owner);
        if !owner.is_empty() && !is_shared {
            continue;
        }
        compared += 1;
        let (mine, their) = (a.get(key), b.get(key));
        let row = DIFFERENT.iter().position(|row| (row.0, row.1) == (*is_compat, *code));
        let k = functions.iter().find(|k| k.name == owner);
        let attribute = || {
            let known = if *is_compat { compat_name(*code) } else { name(*code) };
            format!(
                "{} of {}",
                known.map_or_else(|| format!("{code:#x}"), str::to_owned),
                if owner.is_empty() { "the program" } else { owner }
            )
        };
        if let Some(row) = row {
            if mine != their {
                used.insert(row);
            }
            // Offsets and marks must be true of our code even if they equal those of ptxas.
            let claimed = mine != their || matches!(DIFFERENT[row].2, Ours::At(_) | Ours::With(_));
            if claimed && let Err(why) = is_true(&DIFFERENT[row], mine, k, ours, arch) {
                bad.push(format!("{}: {why:#}: {mine:?}", attribute()));
            }
        } else if mine != their {
            bad.push(format!("{}: ours {mine:?}, theirs {their:?}", attribute()));
        }
    }
    Ok(compared)
}

/// The modules: every kernel of the corpus by one of its producers, functions and calls, and some
/// of the snippets.
fn modules() -> Vec<PathBuf> {
    let mut kernels: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in corpus::ptx(&["kernels"]) {
        kernels.entry(path.parent().map(Path::to_owned).unwrap_or_default()).or_default().push(path);
    }
    let mut out: Vec<PathBuf> = kernels
        .into_values()
        .enumerate()
        .map(|(number, mut producers)| producers.swap_remove(number % producers.len()))
        .collect();
    out.extend(corpus::ptx(&["abi", "calls"]));
    let named =
        ["_cas_b16", "cvt_e4m3", "proxy_tensormap", "reserved_smem", "atom_global_add", "brx", "vprintf", "redux"];
    let snippets = corpus::ptx(&["snippets"]).into_iter().enumerate();
    out.extend(
        snippets
            .filter(|(number, path)| number % 24 == 0 || named.iter().any(|n| path.display().to_string().contains(n)))
            .map(|(_, path)| path),
    );
    out
}

/// Our file and that of ptxas for a module; `None` if one of the two refuses it.
fn both(
    ptxas: &Oracle,
    scratch: &Path,
    source: &Path,
    arch: &'static str,
    relocatable: bool,
) -> Result<Option<[Cubin; 2]>> {
    let Some(text) = retargeted(&fs::read_to_string(source)?, arch, ptxas) else { return Ok(None) };
    let how = How { arch, opt: OptLevel::O3, jobs: 1, chaos: None };
    let ours = if relocatable { object(&text, how) } else { cubin(&text, how) };
    let options: &[&str] = if relocatable { &["-O3", "-c"] } else { &["-O3"] };
    let (Ok(ours), Some(theirs)) = (ours, assemble(ptxas, scratch, source, arch, options)) else { return Ok(None) };
    Ok(Some([Cubin::parse(&ours)?, Cubin::parse(&theirs)?]))
}

#[test]
fn attributes_have_the_values_of_ptxas_but_for_a_list_with_reasons() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    let scratch = tempfile::tempdir()?;
    let (mut used, mut bad, mut compared, mut files) = (BTreeSet::new(), Vec::new(), 0, [0, 0]);
    for (number, source) in modules().iter().enumerate() {
        // Tensor maps and 8-bit floats need sm_90.
        let is_of_90 = source.to_string_lossy().contains("tensormap") || source.to_string_lossy().contains("e4m3");
        let arch = ARCHS[if is_of_90 { 1 } else { number % 2 }];
        for relocatable in [false, true] {
            let Some([ours, theirs]) = both(&ptxas, scratch.path(), source, arch, relocatable)? else { continue };
            let mut found = Vec::new();
            compared += compare(&ours, &theirs, arch, &mut used, &mut found)?;
            files[usize::from(relocatable)] += 1;
            let place = format!("{} for {arch}{}", source.display(), if relocatable { " -c" } else { "" });
            bad.extend(found.into_iter().map(|what| format!("{place}: {what}")));
        }
    }
    ensure!(bad.is_empty(), "{} differences without a reason:\n{}", bad.len(), bad.join("\n"));
    ensure!(files[0] > 60 && files[1] > 70 && compared > 2000, "only {compared} attributes of {files:?} files");
    let unused: Vec<&str> = (0..DIFFERENT.len()).filter(|n| !used.contains(n)).map(|n| DIFFERENT[n].3).collect();
    ensure!(unused.is_empty(), "nothing needs the rows {unused:?}");
    Ok(())
}

#[test]
fn managed_variables_are_marked_as_ptxas_marks_them() -> Result<()> {
    let Some(ptxas) = oracle::require("ptxas") else { return Ok(()) };
    let scratch = tempfile::tempdir()?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/regressions/managed.ptx");
    for arch in ["sm_80", "sm_86", "sm_89", "sm_90"] {
        for relocatable in [false, true] {
            let both = both(&ptxas, scratch.path(), &source, arch, relocatable)?.context("two files")?;
            let [ours, theirs] = both.map(|cubin| {
                let managed = cubin.symbols.iter().filter(|s| ["total", "room"].contains(&&*s.name));
                managed.map(|s| (s.name.clone(), (s.kind, s.binding, s.other, s.size))).collect::<BTreeMap<_, _>>()
            });
            ensure!(ours == theirs, "{arch}, relocatable: {relocatable}: {ours:x?} is not {theirs:x?}");
            let marked = ours.values().filter(|s| s.2 & st::OTHER_MANAGED != 0).count();
            ensure!(marked == 2, "{arch}: {marked} of two managed variables are marked");
        }
    }
    Ok(())
}
