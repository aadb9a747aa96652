//! Stable codes of inputs, outputs, options and units, 0001 to 0099, and the registry of all codes.

use raddle_diag::{CodeTable, Registry, codes};

codes! {
    /// The driver's codes.
    pub static CODES = [
        Input E0001 = 1, "the input cannot be read",
            "The file does not exist, is a directory, or may not be read. The message has the system's reason.";
        Input E0002 = 2, "the input is not PTX text",
            "PTX is text and begins with `.version`. The input has a NUL byte, bytes that are not UTF-8 or no `.version` \
             in its first megabytes, and it is no cubin either. A compressed \
             or encrypted file, or a PTX module inside a fatbin, has to be extracted first.";
        Input E0003 = 3, "the input is empty",
            "The input has no bytes, or only blanks and comments. A PTX module begins with `.version`.";
        Input E0004 = 4, "the input is too large",
            "Places in an input are counted with 32 bits: an input has at most 4294967295 bytes. Split the module.";
        Input E0005 = 5, "the input is of another kind",
            "The command reads another kind of file: `compile` and `check` read PTX text, `disasm`, `info` and `diff` \
             read cubins, `run` reads both.";
        Input E0006 = 6, "the cubin cannot be read",
            "The file is an ELF object for CUDA, but its tables extend beyond its end or contradict each other. It \
             is damaged or truncated.";
        Input E0010 = 10, "the output cannot be written",
            "The folder does not exist, is not writable, or the file system reported an error while writing or closing. \
             A regular file that was there before is unchanged.";
        Input E0018 = 18, "the cache cannot be used",
            "The folder of `--cache` cannot be made, read or written, or the remote cache did not answer, too slowly, or \
             refused. The build continues without it.";
        Usage E0019 = 19, "options that contradict each other",
            "The message names them. `--help` says what each does.";
        Usage E0020 = 20, "no kernel of this name",
            "`-e NAME` names an entry function as the PTX module spells it (mangled). `raddle info FILE` lists them.";
        Usage E0021 = 21, "no kernel matches",
            "No entry function of the inputs matches the regular expression of `-E`. The expression is unanchored and \
             is matched against the names as the PTX module spells them.";
        Input E0022 = 22, "the module is for another architecture",
            "A module runs on the architecture of its `.target` and newer ones; a target with the suffix `a` or `f` runs \
             on that architecture or family only. Choose another `--arch`, or compile the source for this one.";
        Unsupported E0023 = 23, "no native code for this architecture yet",
            "`raddle doctor` lists the architectures Raddle makes machine code for. `raddle check` reads modules for all.";
        Usage E0024 = 24, "the modules are for different architectures",
            "All inputs become one cubin, which is for one architecture: select it with `--arch`.";
        Input E0025 = 25, "32-bit addresses",
            "`.address_size 32` is not supported for any architecture, nor by ptxas 13. Compile the source for 64 \
             bits. A module without `.address_size` has 64 bits; an address of global memory or a generic one in a \
             register of 32 bits is listed with its line (E0030).";
        Input E0026 = 26, "the same kernel in two inputs",
            "One cubin has one kernel of a name: of definitions that are `.weak` one is taken. Select with `-e`, or \
             compile the inputs into separate cubins.";
        Usage E0027 = 27, "no such code",
            "`raddle explain` without a code lists all of them.";
        Usage E0028 = 28, "the launch does not fit",
            "`raddle run` checks dimensions and arguments against the kernel's parameters before it starts. \
             `raddle info FILE` lists the parameters.";
        Usage E0029 = 29, "a malformed environment variable",
            "RADDLE_CHAOS is a decimal number, the seed of random delays and order; RADDLE_FAULT is KIND:KERNEL, a failure \
             on demand, or unsupported:INSTRUCTION (both are for tests).";
        Unsupported E0030 = 30, "unsupported instruction",
            "The instruction is valid PTX that Raddle cannot compile yet. All such instructions of a kernel are listed \
             before anything is compiled; `raddle check` lists them for a whole module.";
        Input E0031 = 31, "the kernel does not fit the machine",
            "The kernel needs more registers, shared memory, parameters or barriers than the architecture or its launch \
             bounds allow.";
        Input E0032 = 32, "the unit has errors",
            "The unit was not compiled because of the errors listed.";
        Unsupported E0033 = 33, "unsupported variable",
            "The variable is valid PTX, but its type, size or initial value is not supported yet.";
        Unsupported E0034 = 34, "the fallback failed",
            "The kernel has instructions that Raddle cannot compile yet, and the ptxas of `--fallback` did not give \
             a cubin for it either. The notes contain its messages.";
        Unsupported E0035 = 35, "assembled by the fallback",
            "Not an error: the kernel was assembled by the ptxas of `--fallback`, for the reasons listed, and linked in.";
        Internal E0040 = 40, "the compiler panicked",
            "This is an internal error of Raddle: please report it with the kernel. The other kernels were compiled \
             (`--keep-going`).";
        Internal E0041 = 41, "a broken invariant",
            "A check of the compiler on its own work failed. This is an internal error of Raddle: please report it \
             with the kernel.";
        Internal E0042 = 42, "no worker could be started",
            "The system refused to give the process a thread. Limits on processes or memory are too low.";
        Input E0043 = 43, "cancelled",
            "The unit did not finish because the compilation was cancelled.";
        Input E0044 = 44, "step limit exceeded",
            "Its compilation took more steps than `--kernel-steps` allows. A step is about one instruction that a \
             pass visits.";
        Input E0045 = 45, "the units cannot be linked",
            "Two units define the same visible name, or one refers to an undefined symbol.";
        Usage E0046 = 46, "no jobserver",
            "`--jobserver=require` requires a parent make that shares its job slots, and there is none: MAKEFLAGS is \
             unset or names no jobserver, or make has one slot for the command and no more. Start the command from a \
             recipe of `make -jN`, with a `+` in front of the recipe's line.";
        Usage E0047 = 47, "the jobserver cannot be used",
            "MAKEFLAGS names a jobserver whose descriptors are closed or whose fifo cannot be opened, or whose make \
             has ended. The usual reason is a recipe without `+`: make then closes the descriptors but leaves the \
             variable. Without `-j N` kernels are compiled one at a time. If it is reported after a build, slots \
             could not be taken or returned during it. It is an error with `--jobserver=require`.";
        Usage E0048 = 48, "no such pass",
            "`--print-after PASS` shows each kernel after a pass. No kernel ran a pass of this name; the message lists \
             those that ran. Which passes run depends on the optimisation level.";
        Input E0049 = 49, "the kernel took too long",
            "Its compilation took longer than `--kernel-timeout` allows. The compilation ends between two steps, so it \
             may take slightly longer.";
        Input E0050 = 50, "the run failed",
            "The kernel did something that is an error on a GPU as well: a stray or misaligned access, a race, a \
             deadlock, an undefined value that reaches an address, a branch or memory the host reads, or a hazard in \
             its control fields. The notes say at which instruction and in which thread.";
        Unsupported E0051 = 51, "the run needs an unsupported feature",
            "The interpreter or the simulator does not model an instruction or a feature that the kernel uses.";
        Input E0052 = 52, "the program cannot be loaded",
            "The kernel, or something that it refers to, is missing or malformed.";
        Internal E0053 = 53, "the compiler crashed",
            "A stack overflow, a failed allocation, a stray access or another signal ended the process that compiled \
             the kernel. This is an internal error of Raddle, or the system has too little memory. The kernel was then \
             compiled in a separate process: an error means that this process crashed too, a warning that it \
             succeeded.";
        Input E0060 = 60, "the object cannot be read",
            "The file is a relocatable cubin, but its tables contradict each other, or it has a relocation that \
             makes no sense where it is. It is damaged, or newer than this linker.";
        Input E0061 = 61, "not a relocatable object",
            "`raddle link` takes relocatable cubins in the containers of CUDA 12 and 13: what `ptxas -c` and `nvcc -dc` make. An \
             executable cubin has its references filled in and cannot be linked again.";
        Input E0062 = 62, "the object is for another architecture",
            "Machine code runs on one architecture, and code for sm_80 and sm_86 on later ones up to sm_89: the \
             objects of a link must be compatible in this way. Compile the source again, or take another member of \
             its fatbin with `--arch`.";
        Unsupported E0063 = 63, "objects of this kind or architecture are not supported",
            "Relocatable objects for sm_80 to sm_90a are linked. Extensible whole programs (ptxas \
             --extensible-whole-program) and objects for older architectures are not. From sm_100 on objects carry a second \
             form of their code, which only the vendor's finalizer makes. Link with nvlink, or compile the whole program at once.";
        Input E0064 = 64, "the symbol is defined twice",
            "One name has one definition in a program. Make one of them `.weak` or private (`static` in C++), or leave an \
             object out.";
        Input E0065 = 65, "undefined symbol",
            "A kernel refers to a symbol that is declared but not defined: an object or a library is missing, the \
             names differ (C++ names contain the types of parameters), or the definition is private to its object.";
        Input E0066 = 66, "too few registers for a callee",
            "A kernel with a register limit (`.maxnreg`, `--maxrregcount`) calls a function that was compiled with more. \
             Compile the function with the same limit, or raise the kernel's.";
        Input E0067 = 67, "the program needs too much memory of a kind",
            "A constant bank has 65536 bytes, static shared memory of a kernel 49152. The memory of a function \
             counts for every kernel that can reach it; `--map FILE` lists it.";
        Input E0068 = 68, "the stack size is unknown",
            "A function is recursive, directly or through others. The driver then gives each thread the stack \
             size set by `cudaDeviceSetLimit(cudaLimitStackSize, ...)`: set it according to the depth of calls.";
        Unsupported E0069 = 69, "the input has no machine code for the architecture",
            "The file has code for other architectures, or NVIDIA's LTO-IR (nvcc -dlto) and no library that reads it: \
             name one with --nvjitlink, or compile the source without -dlto. PTX is compiled by the link if it is for this architecture or an older one.";
        Input E0070 = 70, "no such library",
            "`-l NAME` looks for libNAME.a in the folders given by `-L`, in their order.";
        Usage E0071 = 71, "no object has this symbol",
            "`--why-live` and `--trace-symbol` take a name as objects spell it (mangled); `--map FILE` lists them.";
        Input E0072 = 72, "an indirect call without a possible callee",
            "No function of that type has its address taken in the program. The registers and stack of callees are \
             unknown.";
        Input E0074 = 74, "inputs carry different options",
            "PTX in a fatbin comes with the options that its producer gave. A link has one value of each: specify it \
             on the command line, which takes precedence, or compile the inputs separately.";
        Input E0075 = 75, "an option of an input has no effect",
            "PTX in a fatbin comes with options for its assembler, and `raddle link` does not use this one.";
        Input E0076 = 76, "the split differs from the whole",
            "`--verify-split` compiles the inputs as a whole and in units, links both, and compares functions: code, \
             registers, barriers, stack, shared memory, constants. The table lists what differs. For PTX this is an \
             internal error of Raddle. LLVM optimises a function by what is in the same module: a callee with one \
             caller is inlined more often, for example. For LLVM IR a difference between one part and several may be \
             of that kind.";
        Input E0080 = 80, "a member of the device runtime is left out",
            "Not an error: producers name libcudadevrt.a whether a program needs it or not. A member of it that has \
             no machine code for the architecture, or PTX that cannot be compiled, is left out. If it is needed, the \
             link fails with E0065.";
        Unsupported E0081 = 81, "an unsupported mode",
            "The option selects a kind of code that `raddle compile` does not make: executables, and objects by `-c` \
             or `--extensible-whole-program`. The message says why there is none.";
        Input E0082 = 82, "compiled as an object and linked",
            "Not an error: with `-g` functions keep their own symbols, so the program is compiled as an object and \
             then linked. ptxas does the same silently.";
        Input E0083 = 83, "an undefined external variable in shared memory",
            "In a whole program `.extern .shared` with a size needs a definition in one of the inputs. Without one \
             the variable becomes one of its module. Dynamic shared memory is declared without a size: `.extern \
             .shared .b8 s[];`.";
        Input E0084 = 84, "a launch bound that cannot be met",
            "`.minnctapersm` asks for more blocks of `.maxntid` threads at once than a multiprocessor of this \
             architecture holds, with any number of registers, or there is no `.maxntid` and no `.reqntid`; or \
             `.maxnreg` asks for more registers than a thread can have. It is ignored, as ptxas ignores it. In the \
             place of ptxas a `.maxnreg` below 24 is 24.";
        Usage E0085 = 85, "an option that another one replaces",
            "Not an error: two options set the same thing, and the message names the one that is used. nvlink \
             reports it too if both ways of splitting are requested.";
        Usage E0086 = 86, "an option of ptxas without effect",
            "Not an error: the option is a hint to ptxas, and there is nothing here that it could change. The message says why.";
        Input E0087 = 87, "a warning on request",
            "`--warn-on-spills`, `--warn-on-local-memory-usage` and `--warn-on-double-precision-use` tell which kernels and functions spill \
             registers, have a stack frame, or have instructions on `.f64`.";
        Input E0089 = 89, "a whole program among objects is left out",
            "An executable cubin, or an extensible whole program, cannot be linked with others. nvlink skips it \
             silently, since builds contain host objects that were compiled without -rdc; it is left out here too, \
             with this message. The output does not contain its kernels.";
        Input E0090 = 90, "a pragma without effect",
            "The manual defines these strings of `.pragma`: `nounroll` anywhere, `used_bytes_mask`, \
             `enable_smem_spilling` and `frequency` in the body of a function. Any other string has no effect, and \
             is an error at module scope; a known one at the wrong place or without a valid argument is an error. \
             ptxas 13.0.88 does the same.";
        Input E0091 = 91, "no usable LLVM library",
            "LLVM IR is compiled by an LLVM library of version 19 or newer that has the NVPTX target. It is named by \
             `--llvm` or RADDLE_LLVM, or is the newest of: Rust toolchains of rustup, folders of `llvm-config`, \
             /usr/lib/llvm-*, and the folders of the dynamic linker. PTX needs none.";
        Input E0092 = 92, "a message of LLVM",
            "LLVM refused an input, or warns of it. The message names the input, or the part of the program.";
        Internal E0093 = 93, "LLVM ended its process",
            "A fatal error or a crash in LLVM. It costs the input, or the part of the program, that the message names; \
             the notes are what LLVM printed.";
        Input E0094 = 94, "another way of link-time optimisation",
            "With `--lto=thin` the inputs of LLVM IR are not linked; the names of their local symbols end in a hash of \
             the name of the source. Where two have the same name, the inputs are linked, as with `--lto=partial`: give \
             the sources different names. Inputs with inline assembly outside of functions, or an alias of a variable, \
             are linked too.";
        Input E0095 = 95, "setmaxnreg without effect",
            "`setmaxnreg` moves registers between warps. That needs the number of registers that a kernel begins with: \
             `.maxnreg`, or `.minnctapersm` beside `.maxntid` or `.reqntid`. Without them all warps of a kernel keep as \
             many registers as it begins with: results are the same, but warps that ask for more may spill.";
        Input E0096 = 96, "matrix products of a warpgroup one after another",
            "`wgmma.mma_async` uses its registers until a `wgmma.wait_group` has covered it. An instruction that accesses one \
             of them before, or for which one would have to be moved, and a call of a function that is not inlined, need \
             products that have ended: all of the \
             function are waited for one by one. Results are right, but slower.";
        Usage E0097 = 97, "an option that LLVM refuses",
            "`--mllvm` gives LLVM an option of its own. The library has no such option, or it takes no such value, or the \
             option lets LLVM print something and end, such as `-help`. The message has what LLVM says of it.";
        Input E0098 = 98, "remote execution was not used",
            "The engine of `--remote` failed several times in a row, refused a kernel or did not answer, or outputs \
             in the folder of `--units` are missing or damaged. The kernels were compiled here, and the output is \
             complete. `raddle doctor --remote URL` tries an engine.";
    ];
}

/// The code tables of all crates, for `raddle explain`.
pub static TABLES: &[CodeTable] = &[CODES, raddle_ptx::CODES];

/// Returns the registry of all codes, or the first code that two crates both declare.
pub fn registry() -> Result<Registry, raddle_diag::Code> {
    Registry::new(TABLES)
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_number_is_declared_twice_and_every_code_is_explained() {
        let registry = super::registry().unwrap();
        assert!(registry.rows().iter().all(|row| !row.title.is_empty() && row.explanation.len() > 20));
    }
}
