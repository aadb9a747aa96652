//! Reads the files of a link.
//!
//! [`load`] maps the files and unpacks them: archives into members, host objects and fatbins into
//! the members for the architecture. Cubins that are stored uncompressed are not copied. Archives
//! inside archives are not read.

use crate::codes;
use crate::input::is_ir_named;
use crate::map::Bytes;
use crate::unpack::{self, Wanted};
use raddle_diag::Diagnostic;
use raddle_entity::{Executor, map};
use raddle_fatbin::container::{is_bitcode, is_lto_ir};
use raddle_fatbin::{FatbinError, Kind, Member};
use raddle_link::objects::Input;
use std::path::PathBuf;

/// A cubin to link, or PTX or IR to compile for the link.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The path, with the member in parentheses.
    pub name: String,
    /// The cubin, or the PTX.
    pub bytes: Bytes,
    /// Member of a fatbin or of a host object.
    pub library: bool,
    /// Member of a fatbin or of an object of the host.
    pub inside: bool,
    /// Member of the device runtime library: left out if it cannot be compiled.
    pub runtime: bool,
    /// The kind of the bytes.
    pub kind: LoadedKind,
}

/// What the bytes of a [`Loaded`] are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadedKind {
    /// A cubin.
    Cubin,
    /// PTX.
    Ptx {
        /// The compile options that came with it.
        options: String,
    },
    /// LLVM IR, as bitcode or as text.
    Ir,
    /// NVIDIA's LTO-IR, or a fatbin of it.
    LtoIr {
        /// The options of the optimiser that came with it.
        options: String,
    },
}

impl LoadedKind {
    /// The options that came with it.
    pub fn options(&self) -> Option<&str> {
        match self {
            LoadedKind::Ptx { options } | LoadedKind::LtoIr { options } => Some(options),
            LoadedKind::Cubin | LoadedKind::Ir => None,
        }
    }

    /// Whether it is LTO-IR.
    pub fn is_lto_ir(&self) -> bool {
        matches!(self, LoadedKind::LtoIr { .. })
    }
}

impl Loaded {
    /// Converts it to an input of the linker.
    pub fn input(&self) -> Input<'_> {
        Input { name: &self.name, bytes: &self.bytes, library: self.library }
    }
}

/// The files to read.
#[derive(Clone, Copy, Debug)]
pub struct Files<'r> {
    /// Files in the order of the command line.
    pub paths: &'r [String],
    /// Folders to search for libraries.
    pub library_paths: &'r [PathBuf],
    /// Names of libraries.
    pub libraries: &'r [String],
    /// What to take of files with several modules.
    pub wanted: Wanted,
    /// Whether files without code to link are left out as nvlink does, even if nothing else is left.
    pub as_nvlink: bool,
}

/// The inputs found in the files.
#[derive(Debug, Default)]
pub struct Found {
    /// Cubins and PTX, in the order of the files.
    pub inputs: Vec<Loaded>,
    /// The SM number of the link, if a cubin or a fatbin has determined it.
    pub sm: Option<u32>,
    /// Notices of inputs that are left out.
    pub notices: Vec<Diagnostic>,
}

/// The device runtime library. Producers name it whether it is needed or not, and it has members
/// that only its vendor's optimiser reads. Those are not missed until another input needs a symbol
/// of theirs (SPLIT-7).
const RUNTIME: &str = "libcudadevrt.a";

/// A notice that a member of the device runtime is not linked, and why.
pub(crate) fn left_out(name: &str, why: &str) -> Diagnostic {
    let why = why.strip_prefix(&format!("'{name}'")).unwrap_or(why).trim_start_matches([':', ' ']);
    Diagnostic::info(codes::E0080, format!("'{name}' is left out: {why}"))
}

/// Describes a cubin that cannot be linked because it was compiled as a whole program. nvlink
/// 13.0.88 skips such cubins silently, wherever they are stored: builds mix them with relocatable
/// objects.
fn whole_program(cubin: &[u8]) -> Option<&'static str> {
    match cubin.get(16..18)? {
        [2, 0] => Some("is an executable"),
        [0, 0xff] => Some("is an extensible whole program"),
        _ => None,
    }
}

/// Leaves out whole programs if there is something else to link or an empty program is allowed.
/// Otherwise the linker reports them.
fn leave_out(found: &mut Found, may_be_empty: bool) {
    let why = |input: &Loaded| if input.kind == LoadedKind::Cubin { whole_program(&input.bytes) } else { None };
    if !may_be_empty && found.inputs.iter().all(|input| why(input).is_some()) {
        return;
    }
    let inputs = std::mem::take(&mut found.inputs);
    for input in inputs {
        let Some(why) = why(&input) else {
            found.inputs.push(input);
            continue;
        };
        let message = format!("'{}' {why}: its code is not linked", input.name);
        // A cubin named on the command line is meant to be linked; a host object may have been
        // compiled for other uses.
        found.notices.push(match !input.inside && !input.library {
            true => Diagnostic::warning(codes::E0089, message)
                .help("compile it as a relocatable object: ptxas -c, nvcc -dc"),
            false => Diagnostic::info(codes::E0089, message),
        });
    }
}

/// The ELF machine number of cubins; an ELF file with any other is a host object.
const EM_CUDA: [u8; 2] = [190, 0];

fn is_cubin(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") && bytes.get(18..20) == Some(&EM_CUDA)
}

/// Whether bytes are PTX. Comments may precede the version.
fn is_ptx(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(1 << 16)];
    let text = start.trim_ascii_start();
    let is_text = text.starts_with(b".version") || text.starts_with(b"//") || text.starts_with(b"/*");
    is_text && memchr::memmem::find(start, b".version").is_some()
}

/// The SM number of a cubin; 0 for one that cannot be read, which the linker reports.
fn sm_of(bytes: &[u8]) -> u32 {
    raddle_cubin::raw::Raw::parse(bytes).map_or(0, |raw| raw.header.sm().into())
}

/// Reads all files. Reports the errors of all of them.
pub fn load(files: Files<'_>, executor: &dyn Executor) -> Result<Found, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let mut paths: Vec<PathBuf> = files.paths.iter().map(PathBuf::from).collect();
    for name in files.libraries {
        let file = format!("lib{name}.a");
        match files.library_paths.iter().map(|folder| folder.join(&file)).find(|path| path.is_file()) {
            Some(path) => paths.push(path),
            None => {
                let message = format!("no {file} in the folders given by -L");
                problems.push(Diagnostic::fatal(codes::E0070, message));
            }
        }
    }
    let contents = read_all(&paths, executor);
    let mut sm = files.wanted.target.map(|t| u32::from(t.sm));
    // Without an explicit architecture, the first cubin determines the member of a fatbin.
    if sm.is_none() {
        let mut cubins = contents.iter().filter_map(|c| c.as_ref().ok()).filter(|c| is_cubin(c));
        sm = cubins.find(|c| whole_program(c).is_none()).map(|c| sm_of(c));
    }
    let mut found = Found { sm, ..Found::default() };
    for (path, contents) in paths.iter().zip(contents) {
        let name = path.display().to_string();
        let runtime = path.file_name().is_some_and(|name| name == RUNTIME);
        match contents {
            Ok(bytes) if files.as_nvlink && is_ignored(&name, &bytes, files.wanted) => {}
            Ok(bytes) => {
                let from = Origin { library: false, runtime, wanted: files.wanted, as_nvlink: files.as_nvlink };
                expand(name, bytes, from, &mut found, &mut problems)
            }
            Err(error) => problems.push(Diagnostic::fatal(codes::E0001, format!("cannot read '{name}': {error}"))),
        }
    }
    leave_out(&mut found, files.as_nvlink);
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

/// Unpacks the bytes of one file for a link whose architecture is given. Whole programs are left
/// out, and a host object without device code has no inputs (libnvJitLink.so 13.0.88).
///
/// # Errors
/// The bytes are damaged, or of no kind that can be linked, or have no code for the architecture.
pub fn load_bytes(name: &str, bytes: Bytes, wanted: Wanted) -> Result<Vec<Loaded>, Vec<Diagnostic>> {
    let is_host = bytes.starts_with(b"\x7fELF") && !is_cubin(&bytes);
    if is_host && matches!(raddle_fatbin::members(&bytes), Err(FatbinError::Unknown)) {
        return Ok(Vec::new());
    }
    let mut problems = Vec::new();
    let mut found = Found { sm: wanted.target.map(|target| target.sm.into()), ..Found::default() };
    let runtime = name.rsplit('/').next() == Some(RUNTIME);
    let from = Origin { library: false, runtime, wanted, as_nvlink: false };
    expand(name.to_owned(), bytes, from, &mut found, &mut problems);
    found.inputs.retain(|input| input.kind != LoadedKind::Cubin || whole_program(&input.bytes).is_none());
    if problems.is_empty() { Ok(found.inputs) } else { Err(problems) }
}

fn read_all(paths: &[PathBuf], executor: &dyn Executor) -> Vec<std::io::Result<Bytes>> {
    map(paths.len(), executor, |i| Bytes::read(&paths[i]))
}

/// The origin of an input.
#[derive(Clone, Copy)]
struct Origin {
    library: bool,
    runtime: bool,
    wanted: Wanted,
    as_nvlink: bool,
}

/// Whether nvlink (13.0.88) ignores a file: what has no device code, and PTX, unless it optimises the
/// program as a whole, or the file is named so and the architecture is sm_90 or later. A shorter
/// file it calls unreadable.
fn is_ignored(name: &str, bytes: &[u8], wanted: Wanted) -> bool {
    const SHORTEST: usize = 53;
    const COMPILED_FROM: u16 = 90;
    let compiles = wanted.lto_ir || name.ends_with(".ptx") && wanted.target.is_some_and(|t| t.sm >= COMPILED_FROM);
    let is_known = is_cubin(bytes) || is_bitcode(bytes) || is_ir_named(name, bytes) || is_lto_ir(bytes);
    let is_container = || !matches!(raddle_fatbin::container::archive(bytes), Ok(None));
    bytes.len() >= SHORTEST
        && !is_known
        && !is_container()
        && matches!(raddle_fatbin::members(bytes), Err(FatbinError::Unknown))
        && !(compiles && is_ptx(bytes))
}

/// Unpacks a file into cubins.
fn expand(name: String, bytes: Bytes, from: Origin, found: &mut Found, problems: &mut Vec<Diagnostic>) {
    let Origin { library, runtime, wanted, as_nvlink } = from;
    if is_cubin(&bytes) {
        found.inputs.push(Loaded { name, bytes, library, inside: false, runtime, kind: LoadedKind::Cubin });
        return;
    }
    if is_bitcode(&bytes) || !library && is_ir_named(&name, &bytes) {
        found.inputs.push(Loaded { name, bytes, library, inside: false, runtime, kind: LoadedKind::Ir });
        return;
    }
    if is_lto_ir(&bytes) && !runtime {
        let kind = LoadedKind::LtoIr { options: String::new() };
        found.inputs.push(Loaded { name, bytes, library, inside: false, runtime, kind });
        return;
    }
    let damaged = |error: &FatbinError| Diagnostic::fatal(codes::E0005, format!("'{name}': {error}"));
    match raddle_fatbin::container::archive(&bytes) {
        Ok(Some(members)) => {
            for (member, contents) in members {
                // Host objects without device code, symbol tables and the like are ignored; what is
                // damaged is not.
                let nothing = || matches!(raddle_fatbin::members(contents), Err(FatbinError::Unknown));
                let is_ours = is_cubin(contents) || is_ptx(contents) || !nothing();
                if !is_ours || raddle_fatbin::container::is_archive(contents) {
                    continue;
                }
                let Some(contents) = bytes.part(contents) else { continue };
                let (name, from) = (format!("{name}({member})"), Origin { library: true, ..from });
                let mut of_member = Vec::new();
                expand(name.clone(), contents, from, found, &mut of_member);
                match runtime {
                    true => found.notices.extend(of_member.iter().map(|problem| left_out(&name, &problem.message))),
                    false => problems.append(&mut of_member),
                }
            }
            return;
        }
        Ok(None) => {}
        Err(error) => {
            problems.push(damaged(&error));
            return;
        }
    }
    match raddle_fatbin::members(&bytes) {
        Ok(members) => {
            match choose(&name, &members, Wanted { lto_ir: wanted.lto_ir && !runtime, ..wanted }, &mut found.sm) {
                Ok(chosen) if runtime && chosen.iter().any(|member| member.kind == Kind::LtoIr) => {
                    problems.push(Diagnostic::fatal(codes::E0069, format!("'{name}' has only LTO-IR")));
                }
                Ok(chosen) => {
                    let several = chosen.len() > 1;
                    found.inputs.extend(chosen.into_iter().enumerate().map(
                        |(number, Chosen { kind, bytes, options })| {
                            let name = match kind {
                                Kind::Cubin => name.clone(),
                                _ if several => format!("{name}[module {}]", number + 1),
                                _ => format!("{name}[{}]", kind.name()),
                            };
                            let kind = match kind {
                                Kind::Ptx => LoadedKind::Ptx { options },
                                Kind::Bitcode => LoadedKind::Ir,
                                Kind::LtoIr => LoadedKind::LtoIr { options },
                                _ => LoadedKind::Cubin,
                            };
                            Loaded { name, bytes: bytes.into(), library, inside: true, runtime, kind }
                        },
                    ));
                }
                // nvlink 13.0.88 warns of files, and takes what there is of libraries.
                Err(diagnostic) if as_nvlink && diagnostic.code == codes::E0069 => {
                    let warning = || Diagnostic::warning(codes::E0069, diagnostic.message.clone());
                    found.notices.extend((!library).then(warning));
                }
                Err(diagnostic) => problems.push(*diagnostic),
            }
        }
        Err(FatbinError::Unknown) if is_ptx(&bytes) => {
            let kind = LoadedKind::Ptx { options: String::new() };
            found.inputs.push(Loaded { name, bytes, library, inside: false, runtime, kind });
        }
        Err(FatbinError::Unknown) => {
            let message =
                format!("'{name}' is not a cubin, PTX, LLVM IR or fatbin, nor an object or archive that contains one");
            problems.push(Diagnostic::fatal(codes::E0005, message));
        }
        Err(error) => problems.push(damaged(&error)),
    }
}

/// A member to link.
struct Chosen {
    /// A cubin, PTX, bitcode or LTO-IR.
    kind: Kind,
    bytes: Vec<u8>,
    /// The options that came with PTX or LTO-IR.
    options: String,
}

/// Chooses the members of a fatbin for SM `sm`: cubins for it, else those for the newest SM that
/// links there, else the newest PTX and bitcode that run there, else the newest such LTO-IR, which is
/// first where it is preferred. If the number is not determined yet, the first fatbin determines it;
/// it must then be for one architecture. Bitcode does not determine it: it may be for a variant,
/// which it names inside.
fn choose(
    name: &str,
    members: &[Member<'_>],
    preferred: Wanted,
    sm: &mut Option<u32>,
) -> Result<Vec<Chosen>, Box<Diagnostic>> {
    let of_kind = |kind: Kind| members.iter().filter(move |m| m.kind == kind);
    let compiled = || members.iter().filter(|m| matches!(m.kind, Kind::Ptx | Kind::Bitcode));
    let mut numbers: Vec<u32> = of_kind(Kind::Cubin).map(|m| m.sm).collect();
    if numbers.is_empty() {
        numbers = compiled().map(|m| m.sm).filter(|&sm| sm != 0).collect();
    }
    if numbers.is_empty() {
        numbers = of_kind(Kind::LtoIr).map(|m| m.sm).filter(|&sm| sm != 0).collect();
    }
    numbers.sort_unstable();
    numbers.dedup();
    let wanted = match (*sm, &numbers[..]) {
        (Some(sm), _) => sm,
        (None, [one]) => *one,
        (None, []) => 0,
        (None, several) => {
            let list: Vec<String> = several.iter().map(|sm| format!("sm_{sm}")).collect();
            let message = format!("'{name}' has code for {}", list.join(", "));
            return Err(Box::new(Diagnostic::fatal(codes::E0024, message).help("select one with --arch")));
        }
    };
    // A fatbin has a member for each pair of source and architecture.
    let links = |sm: u32| match (u16::try_from(sm), u16::try_from(wanted)) {
        (Ok(sm), Ok(wanted)) => raddle_target::links_into(sm, wanted),
        _ => false,
    };
    let runs = |m: &&Member<'_>| match preferred.target {
        Some(target) => unpack::runs(target, m),
        None => m.sm == wanted || m.suffix.is_empty() && m.sm < wanted,
    };
    let newest = of_kind(Kind::LtoIr).filter(runs).map(|m| m.sm).max();
    let lto_ir: Vec<&Member<'_>> = of_kind(Kind::LtoIr).filter(|m| Some(m.sm) == newest).collect();
    let newest = of_kind(Kind::Cubin).map(|m| m.sm).filter(|&sm| links(sm)).max();
    let mut fitting: Vec<&Member<'_>> = of_kind(Kind::Cubin).filter(|m| Some(m.sm) == newest).collect();
    if fitting.is_empty()
        && let Some(newest) = compiled().filter(runs).map(|m| (m.sm, m.suffix)).max()
    {
        fitting = compiled().filter(|m| m.sm == 0 || (m.sm, m.suffix) == newest).collect();
    }
    if fitting.is_empty() || preferred.lto_ir && !lto_ir.is_empty() {
        fitting = lto_ir;
    }
    if fitting.is_empty() {
        let have: Vec<String> = members.iter().map(Member::describe).collect();
        let message = format!("'{name}' has no cubin for sm_{wanted}; it has {}", have.join(", "));
        return Err(Box::new(Diagnostic::fatal(codes::E0069, message)));
    }
    if fitting.iter().any(|m| m.kind != Kind::Bitcode) {
        *sm = Some(wanted);
    }
    let contents = fitting
        .into_iter()
        .map(|m| Ok(Chosen { kind: m.kind, bytes: m.contents()?, options: m.options.unwrap_or("").to_owned() }));
    contents
        .collect::<Result<_, FatbinError>>()
        .map_err(|error| Box::new(Diagnostic::fatal(codes::E0005, format!("'{name}': {error}"))))
}
