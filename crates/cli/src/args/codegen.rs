//! The options that change bytes, and the arguments of the process for one unit.

use super::Select;
use clap::{Args, ValueEnum};
use raddle_driver::options::{CacheOperator, CacheRule, CodegenOptions, OptLevel};

/// `raddle __unit`.
#[derive(Debug, Args)]
pub struct Unit {
    /// The kernel, and for what architecture.
    #[command(flatten)]
    pub select: Select,
    /// What changes bytes.
    #[command(flatten)]
    pub codegen: Codegen,
    /// A function that stays a function, instead of a kernel.
    #[arg(long)]
    pub function: Option<String>,
    /// The process that waits for it: without that one it ends.
    #[arg(long)]
    pub parent: Option<u32>,
    /// Its code is for a linker of objects.
    #[arg(short = 'c', long)]
    pub relocatable: bool,
    /// Steps that it may take.
    #[arg(long)]
    pub kernel_steps: Option<u64>,
}

/// What changes bytes.
#[derive(Debug, Args)]
pub struct Codegen {
    /// Optimisation level; by default 3, with -g 0.
    #[arg(short = 'O', long = "opt-level", value_name = "LEVEL", value_parser = opt_level)]
    pub opt: Option<OptLevel>,
    /// At most this many registers per thread.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=255))]
    pub maxrregcount: Option<u32>,
    /// Contract multiplications and additions into fused ones where PTX allows it.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub fmad: bool,
    /// Say in the cubin which source lines instructions come from, as far as `.loc` and `.file` tell.
    #[arg(long, visible_alias = "generate-line-info")]
    pub lineinfo: bool,
    /// How instructions are scheduled: as the level says, or each waiting for all before it, which tells mistakes of scheduling
    /// from others.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub sched: Sched,
    /// Cache operator of loads of global and generic memory that have none.
    #[arg(long, value_name = "OP", visible_alias = "dlcm")]
    pub def_load_cache: Option<LoadCache>,
    /// Cache operator of all loads of global and generic memory; --def-load-cache has no effect then.
    #[arg(long, value_name = "OP", visible_alias = "flcm", hide_possible_values = true)]
    pub force_load_cache: Option<LoadCache>,
    /// Cache operator of stores to global and generic memory that have none.
    #[arg(long, value_name = "OP", visible_alias = "dscm")]
    pub def_store_cache: Option<StoreCache>,
    /// Cache operator of all stores to global and generic memory; --def-store-cache has no effect then.
    #[arg(long, value_name = "OP", visible_alias = "fscm", hide_possible_values = true)]
    pub force_store_cache: Option<StoreCache>,
}

impl Codegen {
    /// The options of which one makes the other useless.
    pub fn useless(&self) -> Vec<&'static str> {
        let mut out = Vec::new();
        if self.force_load_cache.is_some() && self.def_load_cache.is_some() {
            out.push("--def-load-cache has no effect beside --force-load-cache");
        }
        if self.force_store_cache.is_some() && self.def_store_cache.is_some() {
            out.push("--def-store-cache has no effect beside --force-store-cache");
        }
        out
    }

    /// The options as the driver takes them.
    pub fn options(&self) -> CodegenOptions {
        CodegenOptions {
            opt: self.opt.unwrap_or(OptLevel::O3),
            fmad: self.fmad,
            maxrregcount: self.maxrregcount,
            lineinfo: self.lineinfo,
            serial: self.sched == Sched::Serial,
            relocatable: false,
            loads: rule(self.def_load_cache.map(LoadCache::operator), self.force_load_cache.map(LoadCache::operator)),
            stores: rule(
                self.def_store_cache.map(StoreCache::operator),
                self.force_store_cache.map(StoreCache::operator),
            ),
        }
    }
}

fn rule(default: Option<CacheOperator>, forced: Option<CacheOperator>) -> CacheRule {
    let default = || default.map_or(CacheRule::AsWritten, CacheRule::Default);
    forced.map_or_else(default, CacheRule::Forced)
}

/// A cache operator of loads (PTX ISA 9.0, 9.7.9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LoadCache {
    /// At all levels, likely to be used again.
    Ca,
    /// In L2 and below.
    Cg,
    /// Streaming, likely to be used once.
    Cs,
    /// Last use.
    Lu,
    /// Not at all: fetched again.
    Cv,
}

impl LoadCache {
    fn operator(self) -> CacheOperator {
        match self {
            Self::Ca => CacheOperator::Ca,
            Self::Cg => CacheOperator::Cg,
            Self::Cs => CacheOperator::Cs,
            Self::Lu => CacheOperator::Lu,
            Self::Cv => CacheOperator::Cv,
        }
    }
}

/// A cache operator of stores (PTX ISA 9.0, 9.7.9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreCache {
    /// Written back at all levels.
    Wb,
    /// In L2 and below.
    Cg,
    /// Streaming, likely to be used once.
    Cs,
    /// Written through to memory.
    Wt,
}

impl StoreCache {
    fn operator(self) -> CacheOperator {
        match self {
            Self::Wb => CacheOperator::Wb,
            Self::Cg => CacheOperator::Cg,
            Self::Cs => CacheOperator::Cs,
            Self::Wt => CacheOperator::Wt,
        }
    }
}

/// How instructions are scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sched {
    /// As the level of optimisation says.
    Auto,
    /// Every instruction waits for all before it.
    Serial,
}

pub(super) fn opt_level(text: &str) -> Result<OptLevel, String> {
    match text {
        "0" => Ok(OptLevel::O0),
        "1" => Ok(OptLevel::O1),
        "2" => Ok(OptLevel::O2),
        "3" => Ok(OptLevel::O3),
        _ => Err("levels are 0, 1, 2, 3".to_string()),
    }
}
