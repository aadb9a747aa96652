//! Runs modules of real producers, although their text does not specify the launches of their
//! kernels.
//!
//! Problem: `corpus/producers` has the PTX of Triton, XLA, NVRTC, Numba and clang without host
//! code; the text does not tell which 64-bit parameter is a pointer and which a number. Strategy:
//! the interpreter finds a launch by trial (`recipe.rs`), or repeats one that was found before
//! (`launches.rs`). It is then repeated in the simulator with our machine code, and all buffers are
//! compared.

pub mod launches;
mod recipe;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use raddle_diag::{Diags, FileId};
use raddle_sim::failure::Failure;
use raddle_sim::launch::{Launch, OnFinding};
use raddle_sim::mem::Memory;
use raddle_target::Target;

use crate::buffers::Buffers;
use crate::compile::cubin_at;
use crate::exceptions::Case;
use crate::judge::static_hazards;
use crate::level::{self, Level};
use launches::Launches;
use recipe::Recipe;

/// The most instructions of a thread.
pub const STEPS: u64 = 1 << 24;
/// Seeds of other orders of blocks, warps and lanes in which a found launch is repeated.
const ORDERS: [u64; 6] = [1, 2, 3, 4, 5, 6];

/// A module of a producer.
#[derive(Clone, Debug)]
pub struct Module {
    /// Producer and file without its extension: `triton390/sm80_add`.
    pub name: String,
    /// The PTX.
    pub text: String,
    /// The most instructions of a thread in an attempt.
    pub steps: u64,
}

/// The result for a kernel.
#[derive(Debug)]
pub struct Judged {
    /// Module, kernel, and the architecture with the level.
    pub case: Case,
    /// Its result.
    pub ran: Ran,
}

/// Whether a kernel was run.
#[derive(Debug)]
pub enum Ran {
    /// It ran in the interpreter.
    Judged {
        /// Whether our machine code gave the same.
        verdict: Result<()>,
        /// Whether the buffers were changed.
        wrote: bool,
        /// The launch, as a line of [`launches`].
        launch: String,
    },
    /// It did not run in the interpreter, or its code is beyond the simulator, and why.
    Not(String),
}

/// A kernel with a launch found by trial, and the buffers after it in the interpreter.
pub struct Found {
    /// Name of the kernel.
    pub kernel: String,
    /// Whether the buffers were changed.
    pub wrote: bool,
    recipe: Recipe,
    left: Buffers,
}

impl Found {
    /// Whether a launch was found only without the race check: its results may depend on the order
    /// of threads.
    pub fn races(&self) -> bool {
        self.recipe.races == OnFinding::Off
    }

    /// The warnings of the interpreter: races that are not errors, atomic operations on
    /// uninitialised memory.
    pub fn warnings(&self) -> &[String] {
        &self.recipe.warnings
    }

    /// Repeats the launch in the interpreter in other orders of blocks, warps and lanes, all of
    /// which PTX allows, with other clock speeds. Returns the first difference, if the results
    /// depend on the order.
    pub fn other_orders(&self, text: &str) -> Option<String> {
        other_orders(&self.recipe, text, &self.left)
    }

    /// The launch, with memory for one run.
    pub fn launch(&self) -> (Memory, Launch) {
        self.recipe.machine_launch()
    }

    /// Runs a cubin with the launch and compares its results with those of the interpreter.
    ///
    /// # Errors
    /// A failure of the simulator, or the first byte that differs.
    pub fn judge(&self, cubin: &[u8]) -> Result<()> {
        self.recipe.judge(cubin, &self.left)
    }
}

fn other_orders(recipe: &Recipe, text: &str, usual: &Buffers) -> Option<String> {
    ORDERS.iter().find_map(|&seed| {
        let why = match recipe.interpret(text, seed, &mut Vec::new()) {
            Ok(left) => left.same(usual).err()?.to_string(),
            Err(failure) => brief(&failure),
        };
        Some(format!("in another order (seed {seed}): {why}"))
    })
}

/// All modules below a folder, in order.
///
/// # Errors
/// Unreadable files and folders.
pub fn modules(folder: &Path) -> Result<Vec<Module>> {
    let mut modules = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(&below).with_context(|| below.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "ptx") {
                let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
                let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                modules.push(Module { name: name.to_string_lossy().into_owned(), text, steps: STEPS });
            }
        }
    }
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(modules)
}

impl Module {
    /// The architecture that it is compiled for: the one in its text, sm_80 for older ones; `None`
    /// if there is no code generation for it.
    pub fn target(&self) -> Option<&'static Target> {
        let mut named = self.text.lines().filter_map(|line| line.trim_start().strip_prefix(".target "));
        let name = named.next()?.split([',', ' ']).next()?.trim();
        let number: u32 = name.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic).parse().ok()?;
        Target::by_name(if number < 80 { "sm_80" } else { name }).filter(|target| target.native.is_some())
    }

    /// A number derived from the name.
    pub fn number(&self) -> usize {
        level::number(&self.name)
    }

    /// Compiles the module at each level, and runs each kernel in interpreter and simulator; does
    /// nothing for a module without code generation. Launches are those of a list, or are found by
    /// trial.
    ///
    /// # Errors
    /// A module with errors, findings of the static checker in its machine code, and kernels
    /// without a line in the list.
    pub fn judge(&self, levels: &[Level], known: Option<&Launches>) -> Result<Vec<Judged>> {
        let Some(target) = self.target() else { return Ok(Vec::new()) };
        let mut cubins = Vec::new();
        for &level in levels {
            // Another test reports what a module lacks.
            let Ok(cubin) = cubin_at(&self.text, target.name, level) else { return Ok(Vec::new()) };
            static_hazards(&cubin, target.name).with_context(|| format!("{} at -{level}", self.name))?;
            cubins.push((level, cubin));
        }
        let mut kernels = Vec::new();
        for mut recipe in self.recipes()? {
            let found = match known {
                None => self.search(&mut recipe),
                Some(known) if known.apply(&self.name, &mut recipe)? => {
                    let again = recipe.interpret(&self.text, 0, &mut Vec::new());
                    Ok(again.with_context(|| format!("{} {}: the known launch", self.name, recipe.kernel))?)
                }
                Some(_) => Err(launches::NONE.to_owned()),
            };
            match found {
                Err(why) => {
                    let case = Case::new(&self.name, &recipe.kernel, target.name);
                    kernels.push(Judged { case, ran: Ran::Not(why) });
                }
                Ok(left) => {
                    let wrote = recipe.wrote(&left);
                    for (level, cubin) in &cubins {
                        let (verdict, launch) = (recipe.judge(cubin, &left), recipe.row());
                        let case = Case::new(&self.name, &recipe.kernel, &format!("{}-{level}", target.name));
                        kernels.push(Judged { case, ran: Ran::Judged { verdict, wrote, launch } });
                    }
                }
            }
        }
        Ok(kernels)
    }

    /// Finds a launch by trial. A kernel that stores a clock, which differs from run to run, has
    /// none.
    fn search(&self, recipe: &mut Recipe) -> Result<Buffers, String> {
        let left = recipe.find(&self.text).map_err(|why| brief(&why))?;
        let clock = self.text.contains("%clock").then(|| other_orders(recipe, &self.text, &left));
        clock.flatten().map_or(Ok(left), Err)
    }

    /// Its kernels, each with a launch found by trial, or with the failure of the first attempt.
    ///
    /// # Errors
    /// A module with errors, and parameters without a size.
    pub fn found(&self) -> Result<Vec<Result<Found, (String, Failure)>>> {
        let found = |mut recipe: Recipe| {
            let kernel = recipe.kernel.clone();
            match recipe.find(&self.text) {
                Ok(left) => Ok(Found { kernel, wrote: recipe.wrote(&left), recipe, left }),
                Err(why) => Err((kernel, why)),
            }
        };
        Ok(self.recipes()?.into_iter().map(found).collect())
    }

    /// Its kernels, with an initial guess of their launches.
    fn recipes(&self) -> Result<Vec<Recipe>> {
        let mut diags = Diags::new();
        let outline = raddle_ptx::outline(&self.text, FileId::FIRST, &mut diags);
        ensure!(!diags.has_errors(), "{} has errors", self.name);
        // A kilobyte is left for variables with a size.
        let native = self.target().and_then(|target| target.native.as_ref());
        let shared = native.map_or(0, |native| native.limits.shared_per_cta - 1024);
        outline.kernels().map(|(_, f)| Recipe::first(f, self.steps, shared)).collect()
    }
}

/// A reason on one line: of several unsupported instructions the first.
pub(crate) fn brief(failure: &Failure) -> String {
    failure.kind.to_string().lines().take(2).map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 o) {\n\
        .reg .b64 %d<4>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .pred %p;\n ld.param.u64 %d0, [o];\n mov.u32 %r0, %tid.x;\n\
        cvt.rn.f32.u32 %f0, %r0; div.rn.f32 %f1, 0f3F800000, %f0; setp.eq.u32 %p, %r0, 0; @%p mov.f32 %f1, 0f3F800000;\n";

    /// The dependence on order of a kernel with this body.
    fn ordered(body: &str) -> Option<String> {
        let text = format!("{HEAD}{body}\nret; }}\n");
        let module = Module { name: "m".into(), text, steps: STEPS };
        let found = module.found().unwrap().remove(0).map_err(|(_, why)| why.to_string()).unwrap();
        assert!(found.wrote && !found.races());
        found.other_orders(&module.text)
    }

    #[test]
    fn a_sum_of_integers_has_no_order() {
        assert_eq!(ordered("red.global.add.u32 [%d0], %r0;"), None);
    }

    #[test]
    fn a_sum_of_floats_depends_on_the_order() {
        let why = ordered("red.global.add.f32 [%d0], %f1;").unwrap();
        assert!(why.starts_with("in another order (seed") && why.contains("buffer 0, byte 0"), "{why}");
    }

    #[test]
    fn who_comes_last_depends_on_the_order() {
        assert!(ordered("mov.u32 %r1, %ctaid.x; atom.global.exch.b32 %r2, [%d0], %r1;").is_some());
        assert!(
            ordered(
                "atom.global.add.u32 %r2, [%d0], 1; mad.wide.u32 %d1, %r0, 4, %d0;\n red.global.max.u32 [%d1+4], %r2;"
            )
            .is_some()
        );
    }

    #[test]
    fn a_sum_in_memory_nothing_was_written_to_is_told() {
        let body = ".shared .b32 s; red.shared.add.u32 [s], 1; red.shared.add.u32 [s], 2; st.global.u32 [%d0], 5;";
        let text = format!("{HEAD}{body}\nret; }}\n");
        let module = Module { name: "m".into(), text, steps: STEPS };
        let found = module.found().unwrap().remove(0).map_err(|(_, why)| why.to_string()).unwrap();
        assert_eq!(found.warnings().len(), 2, "{:?}", found.warnings());
        assert!(found.warnings()[0].contains("k, line 9: red.shared.add.u32 [s], 1"), "{:?}", found.warnings());
    }

    #[test]
    fn a_clock_is_no_result() {
        let clocks =
            "mov.u32 %r1, %ctaid.x; mad.wide.u32 %d1, %r1, 4, %d0; mov.u32 %r2, %clock; @%p st.global.u32 [%d1], %r2;";
        assert!(ordered(clocks).is_some());
    }
}
