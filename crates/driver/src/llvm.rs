//! Finds the LLVM library that compiles LLVM IR, and NVIDIA's device library for it.
//!
//! **Problem.** Building Raddle needs no LLVM, and a machine may have several. **Strategy.** The
//! library named by the user is used, otherwise the newest that has NVPTX, of: the Rust toolchains
//! of rustup, the folders next to `llvm-config*` on `PATH`, `/usr/lib/llvm-*`, and the folders of
//! the dynamic linker. Files are read here, none is loaded: only worker processes load a library.
//!
//! **Invariant.** Two libraries with the same [`Llvm::identity`] give the same output.

mod known;

use crate::codes;
use crate::options::IrOptions;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol, ReadCache};
use raddle_diag::Diagnostic;
use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

/// The oldest version that is used.
pub const OLDEST: u32 = raddle_frontend::llvm::OLDEST;

/// A library that was found.
#[derive(Clone, Debug)]
pub struct Llvm {
    /// The file, without symbolic links.
    pub path: PathBuf,
    /// Major and minor version.
    pub version: (u32, u32),
    /// The build identifier, if it has one.
    build: Option<String>,
    identity: OnceLock<String>,
}

impl Llvm {
    /// Version and build identifier, or a hash of the file: that takes a tenth of a second for a
    /// large library, so that it is made when something asks for it, and kept.
    pub fn identity(&self) -> &str {
        self.identity.get_or_init(|| {
            let build = self.build.clone().unwrap_or_else(|| hash(&self.path));
            format!("LLVM {}.{} {build}", self.version.0, self.version.1)
        })
    }
}

/// The hash of a file. One that cannot be read any more is like no other.
pub(crate) fn hash(path: &Path) -> String {
    let find = || {
        let mut hash = blake3::Hasher::new();
        hash.update_reader(File::open(path)?)?;
        Ok::<_, io::Error>(hash.finalize().to_hex().to_string())
    };
    known::answer(path, "hash", find).unwrap_or_else(|_| format!("{:?}", SystemTime::now()))
}

/// Why no library can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LlvmError {
    /// The path given by the user has no usable library.
    #[error("no usable LLVM at '{}'", .path.display())]
    Given {
        /// The path.
        path: PathBuf,
        /// What is there.
        found: Vec<String>,
    },
    /// No library was found.
    #[error("LLVM IR needs an LLVM library of version {OLDEST} or newer with NVPTX, and none was found")]
    None {
        /// What is there.
        found: Vec<String>,
        /// The folders that were searched.
        searched: Vec<PathBuf>,
    },
    /// The device library was not found.
    #[error("no libdevice.10.bc was found")]
    DeviceLibrary {
        /// The places that were searched.
        searched: Vec<PathBuf>,
    },
}

impl LlvmError {
    /// The error as a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::fatal(codes::E0091, self.to_string());
        match self {
            LlvmError::Given { found, path } => {
                diagnostic.notes.extend(found.iter().cloned());
                match path.is_dir() {
                    _ if !found.is_empty() => {}
                    true => diagnostic.notes.push("no libLLVM is in this folder or in its folder lib".to_owned()),
                    false => diagnostic.notes.push("there is no such file or folder".to_owned()),
                }
            }
            LlvmError::None { found, searched } => {
                diagnostic.notes.extend(found.iter().cloned());
                let folders: Vec<String> = searched.iter().map(|path| path.display().to_string()).collect();
                diagnostic.notes.push(format!("searched {}", folders.join(", ")));
                let help = format!(
                    "install it, such as libllvm{OLDEST} on Debian or a Rust toolchain by rustup, or \
                                    name one with --llvm"
                );
                diagnostic = diagnostic.help(help);
            }
            LlvmError::DeviceLibrary { searched } => {
                let places: Vec<String> = searched.iter().map(|path| path.display().to_string()).collect();
                diagnostic.notes.push(format!("searched {}", places.join(", ")));
                diagnostic = diagnostic.help("it is part of the CUDA toolkit; name it with --libdevice");
            }
        }
        diagnostic
    }
}

/// Finds the library for these options.
///
/// # Errors
/// [`LlvmError::Given`], [`LlvmError::None`].
pub fn find(options: &IrOptions) -> Result<Llvm, LlvmError> {
    if let Some(path) = &options.llvm {
        let files = match path.is_file() {
            true => vec![path.clone()],
            false => [path.clone(), path.join("lib")].iter().flat_map(|folder| libraries(folder)).collect(),
        };
        return newest(&files).map_err(|found| LlvmError::Given { path: path.clone(), found });
    }
    let folders = folders();
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| libraries(folder)).collect();
    newest(&files).map_err(|found| LlvmError::None { found, searched: folders })
}

/// The folders to search, the most likely first, each once.
fn folders() -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = Vec::new();
    let home = env::var_os("HOME").map(PathBuf::from);
    let rustup = env::var_os("RUSTUP_HOME").map(PathBuf::from).or_else(|| home.map(|home| home.join(".rustup")));
    let toolchains = rustup.map(|rustup| rustup.join("toolchains"));
    out.extend(toolchains.iter().flat_map(|folder| entries(folder)).map(|toolchain| toolchain.join("lib")));
    // Some are in it twice, and /bin may be /usr/bin.
    let mut seen = BTreeSet::new();
    for folder in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        let tools = match fs::canonicalize(&folder) {
            Ok(folder) if seen.insert(folder.clone()) => named(&folder, |name| name.starts_with("llvm-config")),
            _ => Vec::new(),
        };
        let real = tools.into_iter().filter_map(|tool| fs::canonicalize(tool).ok());
        out.extend(real.filter_map(|tool| Some(tool.parent()?.parent()?.join("lib"))));
    }
    let installed = named(Path::new("/usr/lib"), |name| name.starts_with("llvm-"));
    out.extend(installed.into_iter().map(|path| path.join("lib")));
    out.extend(env::split_paths(&env::var_os("LD_LIBRARY_PATH").unwrap_or_default()));
    let linker =
        ["/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    out.extend(linker.map(PathBuf::from));
    let mut seen = BTreeSet::new();
    out.retain(|path| path.is_dir() && seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    out
}

/// The paths in a folder, sorted; none if it cannot be read.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    named(folder, |_| true)
}

/// The paths in a folder whose names are wanted, sorted: a folder of programs has thousands of others.
fn named(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| wanted(&entry.file_name().to_string_lossy()));
    let mut out: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    out.sort();
    out
}

/// The last component of a path.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

/// The LLVM libraries in a folder.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    named(folder, |name| name.starts_with("libLLVM.so") || name.starts_with("libLLVM-") && name.contains(".so"))
}

/// The newest usable library; if there is none, what is wrong with each.
fn newest(files: &[PathBuf]) -> Result<Llvm, Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut found: Vec<((u32, u32), PathBuf)> = Vec::new();
    let mut wrong = Vec::new();
    for file in files {
        let path = fs::canonicalize(file).unwrap_or_else(|_| file.clone());
        if !seen.insert(path.clone()) {
            continue;
        }
        match version(&path).or_else(|| soname(&path).and_then(|soname| version(Path::new(&soname)))) {
            Some(version) if version.0 >= OLDEST => found.push((version, path)),
            Some((major, _)) => {
                wrong.push(format!("'{}' is LLVM {major}, {OLDEST} or newer is needed", path.display()));
            }
            None => wrong.push(format!("'{}' names no version of LLVM", path.display())),
        }
    }
    // Of equal versions the first counts.
    found.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    for (version, path) in found {
        match build(&path) {
            Ok(build) => return Ok(Llvm { path, version, build, identity: OnceLock::new() }),
            Err(why) => wrong.push(format!("'{}': {why}", path.display())),
        }
    }
    Err(wrong)
}

/// The version in the name of a library: `libLLVM.so.19.1`, `libLLVM-19.so`,
/// `libLLVM.so.22.1-rust-1.95.0-stable`.
fn version(path: &Path) -> Option<(u32, u32)> {
    let name = name(path);
    let rest = name.strip_prefix("libLLVM.so.").or_else(|| name.strip_prefix("libLLVM-"))?;
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let mut numbers = digits.split('.').filter_map(|number| number.parse().ok());
    Some((numbers.next()?, numbers.next().unwrap_or(0)))
}

/// The name that a library gives itself.
fn soname(path: &Path) -> Option<String> {
    let data = ReadCache::new(File::open(path).ok()?);
    let file = ElfFile64::<Endianness, _>::parse(&data).ok()?;
    let endian = file.endian();
    let (dynamic, strings) = file.elf_section_table().dynamic(endian, &data).ok()??;
    let strings = file.elf_section_table().strings(endian, &data, strings).ok()?;
    let tag = |entry: &&object::elf::Dyn64<Endianness>| entry.d_tag.get(endian) == object::elf::DT_SONAME;
    let offset = dynamic.iter().find(tag)?.d_val.get(endian);
    let text = strings.get(u32::try_from(offset).ok()?).ok()?;
    String::from_utf8(text.to_vec()).ok()
}

/// The build identifier of a library, if it has one; an error if it has no NVPTX.
fn build(path: &Path) -> Result<Option<String>, String> {
    let find = || {
        let (build, exported) = examine(path, "LLVMInitializeNVPTXTarget")?;
        if exported { Ok(build.unwrap_or_default()) } else { Err("it has no NVPTX".to_owned()) }
    };
    known::answer(path, "build with NVPTX", find).map(|build| Some(build).filter(|build| !build.is_empty()))
}

/// The build identifier of a library, if it has one, and whether it exports a symbol.
pub(crate) fn examine(path: &Path, symbol: &str) -> Result<(Option<String>, bool), String> {
    let data = ReadCache::new(File::open(path).map_err(|error| error.to_string())?);
    let file = ElfFile64::<Endianness, _>::parse(&data).map_err(|error| error.to_string())?;
    let exported = file.dynamic_symbols().any(|found| found.name() == Ok(symbol));
    let id = file.build_id().ok().flatten();
    Ok((id.map(|id| id.iter().map(|byte| format!("{byte:02x}")).collect()), exported))
}

/// The file of the device library, in a toolkit.
const DEVICE_LIBRARY: &str = "nvvm/libdevice/libdevice.10.bc";

/// Finds NVIDIA's device library: the one named by the user, else in the toolkit that `CUDA_HOME` or
/// `CUDA_PATH` names, of the `nvcc` on `PATH`, or in `/usr/local/cuda`.
///
/// # Errors
/// [`LlvmError::DeviceLibrary`].
pub fn libdevice(options: &IrOptions) -> Result<PathBuf, LlvmError> {
    let mut searched = Vec::new();
    match &options.libdevice {
        Some(path) if path.is_dir() => searched.extend([path.join("libdevice.10.bc"), path.join(DEVICE_LIBRARY)]),
        Some(path) => searched.push(path.clone()),
        None => {
            let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
            searched.extend(named.map(|path| path.join(DEVICE_LIBRARY)));
            for folder in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
                let nvcc = fs::canonicalize(folder.join("nvcc")).ok();
                let toolkit = nvcc.as_deref().and_then(Path::parent).and_then(Path::parent);
                searched.extend(toolkit.map(|toolkit| toolkit.join(DEVICE_LIBRARY)));
            }
            let usual = ["/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"];
            searched.extend(usual.map(|path| Path::new(path).join(DEVICE_LIBRARY)));
        }
    }
    let found = searched.iter().find(|path| path.is_file()).cloned();
    found.ok_or(LlvmError::DeviceLibrary { searched })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_names_of_files() {
        for (name, expected) in [
            ("libLLVM.so.19.1", Some((19, 1))),
            ("libLLVM-19.so", Some((19, 0))),
            ("libLLVM-14.so.1", Some((14, 0))),
            ("libLLVM.so.22.1-rust-1.95.0-stable", Some((22, 1))),
            ("libLLVM-22-rust-1.95.0-stable.so", Some((22, 0))),
            ("libLLVM.so", None),
            ("libclang.so.19", None),
        ] {
            assert_eq!(version(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn what_is_not_usable_is_named_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [("libLLVM-14.so.1", &b"x"[..]), ("libLLVM.so.20.1", b"no ELF"), ("libLLVM.so", b"y")] {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let options = IrOptions { llvm: Some(folder.path().to_owned()), ..IrOptions::default() };
        let Err(LlvmError::Given { found, .. }) = find(&options) else { panic!("found one") };
        assert_eq!(found.len(), 3, "{found:?}");
        for (name, why) in [("libLLVM-14.so.1", "is LLVM 14"), ("libLLVM.so'", "no version"), ("20.1", "': ")] {
            assert!(found.iter().any(|line| line.contains(name) && line.contains(why)), "{name}: {found:?}");
        }
        let missing = IrOptions { llvm: Some(folder.path().join("none")), ..IrOptions::default() };
        assert!(matches!(find(&missing), Err(LlvmError::Given { found, .. }) if found.is_empty()));
    }

    #[test]
    fn a_library_is_found_by_file_by_folder_and_by_its_own_name() {
        for &major in raddle_filetest::llvm::VERSIONS {
            let Some(path) = raddle_filetest::llvm::require(major) else { continue };
            let options = |path: &Path| IrOptions { llvm: Some(path.to_owned()), ..IrOptions::default() };
            let found = find(&options(&path)).unwrap();
            assert_eq!(found.version.0, major);
            assert!(found.identity().starts_with(&format!("LLVM {major}.")), "{}", found.identity());
            let folder = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(&path, folder.path().join("libLLVM.so")).unwrap();
            let same = find(&options(folder.path())).unwrap();
            assert_eq!((&same.path, same.identity()), (&found.path, found.identity()));
        }
    }

    #[test]
    fn the_device_library_is_where_the_option_says() {
        let folder = tempfile::tempdir().unwrap();
        let options = |path: PathBuf| IrOptions { libdevice: Some(path), ..IrOptions::default() };
        let error = libdevice(&options(folder.path().to_owned())).unwrap_err();
        assert!(error.diagnostic().notes[0].contains("libdevice.10.bc"), "{error:?}");
        let file = folder.path().join("libdevice.10.bc");
        fs::write(&file, "BC").unwrap();
        assert_eq!(libdevice(&options(folder.path().to_owned())), Ok(file.clone()));
        assert_eq!(libdevice(&options(file.clone())), Ok(file));
    }
}
