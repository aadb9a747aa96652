//! Links objects.

use crate::compile::{compile, guarded};
use crate::{Arch, Cubin, Diagnostic, Error, Kernel, Options};
use raddle_diag::SourceMap;
use raddle_driver::host::{Config, shared};
use raddle_driver::key;
use raddle_driver::link::{Threads, diagnostic, warnings};
use raddle_driver::link_inputs::{Loaded, LoadedKind, load_bytes};
use raddle_driver::map::Bytes;
use raddle_driver::unpack::Wanted;
use raddle_link::objects::{self, LinkOptions};

/// Links PTX, relocatable cubins, fatbins, host objects and archives to one executable cubin.
///
/// ```
/// use raddle::{Arch, Linker, Options};
/// let uses = "
/// .version 8.0
/// .target sm_80
/// .address_size 64
/// .extern .func (.param .b32 r) twice(.param .b32 a);
/// .visible .entry k(.param .u64 out, .param .u32 n)
/// {
///     .reg .b64 %rd<2>;
///     .reg .b32 %r<3>;
///     ld.param.u64 %rd1, [out];
///     ld.param.u32 %r1, [n];
///     {
///         .param .b32 a;
///         .param .b32 r;
///         st.param.b32 [a], %r1;
///         call (r), twice, (a);
///         ld.param.b32 %r2, [r];
///     }
///     st.global.u32 [%rd1], %r2;
///     ret;
/// }";
/// let defines = "
/// .version 8.0
/// .target sm_80
/// .address_size 64
/// .visible .func (.param .b32 r) twice(.param .b32 a)
/// {
///     .reg .b32 %r<3>;
///     ld.param.b32 %r1, [a];
///     add.s32 %r2, %r1, %r1;
///     st.param.b32 [r], %r2;
///     ret;
/// }";
/// let mut linker = Linker::new(Arch::SM_80, Options::default());
/// linker.add_ptx("uses.ptx", uses)?;
/// linker.add_ptx("defines.ptx", defines)?;
/// let cubin = linker.link()?;
/// assert_eq!(cubin.kernels()[0].name(), "k");
/// # Ok::<(), raddle::Error>(())
/// ```
#[derive(Debug)]
pub struct Linker {
    arch: Arch,
    options: Options,
    inputs: Vec<Loaded>,
    diagnostics: Vec<Diagnostic>,
}

impl Linker {
    /// A linker without inputs. The options are those for PTX.
    pub fn new(arch: Arch, options: Options) -> Linker {
        let options = Options { arch: Some(arch), relocatable: true, ..options };
        Linker { arch, options, inputs: Vec::new(), diagnostics: Vec::new() }
    }

    /// Adds the text of a PTX module, which is compiled here.
    ///
    /// # Errors
    /// As for [`compile`](crate::compile()). The module is then left out.
    pub fn add_ptx(&mut self, name: &str, ptx: &str) -> Result<(), Error> {
        let object = compile(ptx, &self.options.clone().name(name))?;
        self.diagnostics.extend(object.diagnostics);
        let kind = LoadedKind::Cubin;
        let bytes = object.bytes.into();
        self.inputs.push(Loaded { name: name.to_owned(), bytes, library: false, inside: false, runtime: false, kind });
        Ok(())
    }

    /// Adds a file: a relocatable cubin, a fatbin, an object of the host or an archive of such objects.
    /// PTX in them is compiled here. Executable cubins are left out.
    ///
    /// # Errors
    /// The file is damaged, of another kind, or has no code for the architecture; PTX in it has errors.
    /// It is then left out.
    pub fn add(&mut self, name: &str, file: &[u8]) -> Result<(), Error> {
        let wanted = Wanted::from(Some(self.arch.target()));
        let loaded = guarded(|| load_bytes(name, Bytes::from(file.to_vec()), wanted))?;
        let loaded = loaded.map_err(|found| Error::of(&found, &SourceMap::new()))?;
        let mut made = Vec::new();
        for input in loaded {
            made.push(match &input.kind {
                LoadedKind::Ptx { .. } => {
                    let text = String::from_utf8_lossy(&input.bytes).into_owned();
                    let object = compile(&text, &self.options.clone().name(&input.name))?;
                    self.diagnostics.extend(object.diagnostics);
                    Loaded { bytes: object.bytes.into(), kind: LoadedKind::Cubin, ..input }
                }
                LoadedKind::Cubin => input,
                LoadedKind::Ir | LoadedKind::LtoIr { .. } => {
                    let message = format!("'{}' is LLVM IR or LTO-IR, which this library does not compile", input.name);
                    let found = raddle_diag::Diagnostic::fatal(raddle_driver::codes::E0069, message);
                    return Err(Error::of(&[found], &SourceMap::new()));
                }
            });
        }
        self.inputs.extend(made);
        Ok(())
    }

    /// Links everything that was added.
    ///
    /// # Errors
    /// There is nothing to link; a symbol is undefined, or defined twice; an object is for another
    /// architecture; the program does not fit the machine.
    pub fn link(self) -> Result<Cubin, Error> {
        let wanted = self.options.jobs.unwrap_or(usize::MAX);
        let lease = shared::of_process().lease(wanted);
        let config = Config { workers: lease.count(), ..Config::default() };
        let threads = Threads::new(config).for_files(&self.inputs);
        let files: Vec<objects::Input<'_>> = self.inputs.iter().map(Loaded::input).collect();
        let (target, tool) = (Some(self.arch.target()), key::tool_note());
        let options = LinkOptions { target, tool, ..LinkOptions::default() };
        let mut diagnostics = self.diagnostics;
        let linked = guarded(|| {
            objects::link(&files, &options, &threads).map(|linked| {
                let told = warnings(&linked.warnings, &str::to_owned);
                (linked.bytes(&threads), linked.kernels(), told)
            })
        })?;
        let (bytes, kernels, told) = linked.map_err(|problems| {
            let found: Vec<_> = problems.into_iter().map(|problem| diagnostic(problem, &str::to_owned)).collect();
            Error::of(&found, &SourceMap::new())
        })?;
        diagnostics.extend(told.iter().map(|found| Diagnostic::of(found, &SourceMap::new())));
        let kernels = kernels.into_iter().map(|kernel| Kernel {
            name: kernel.kernel,
            registers: kernel.registers,
            shared: kernel.shared,
            stack: kernel.stack.map(Into::into),
            spills: None,
            cached: false,
        });
        Ok(Cubin { bytes, arch: self.arch, kernels: kernels.collect(), diagnostics })
    }
}
