//! The options for cache operators.

use clap::{Args, ValueEnum};
use raddle_driver::options::{CacheOperator, CacheRule};

/// Options for the cache operators of memory accesses.
#[derive(Debug, Args)]
pub struct Caches {
    /// Cache operator of loads of global and generic memory that have none.
    #[arg(long, value_name = "OP", visible_alias = "dlcm")]
    pub def_load_cache: Option<LoadCache>,
    /// Cache operator of all loads of global and generic memory; --def-load-cache has no effect
    /// then.
    #[arg(long, value_name = "OP", visible_alias = "flcm", hide_possible_values = true)]
    pub force_load_cache: Option<LoadCache>,
    /// Cache operator of stores to global and generic memory that have none.
    #[arg(long, value_name = "OP", visible_alias = "dscm")]
    pub def_store_cache: Option<StoreCache>,
    /// Cache operator of all stores to global and generic memory; --def-store-cache has no effect
    /// then.
    #[arg(long, value_name = "OP", visible_alias = "fscm", hide_possible_values = true)]
    pub force_store_cache: Option<StoreCache>,
}

impl Caches {
    /// The options that another option makes useless.
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

    /// The rule for loads.
    pub fn loads(&self) -> Option<CacheRule> {
        rule(self.def_load_cache.map(LoadCache::operator), self.force_load_cache.map(LoadCache::operator))
    }

    /// The rule for stores.
    pub fn stores(&self) -> Option<CacheRule> {
        rule(self.def_store_cache.map(StoreCache::operator), self.force_store_cache.map(StoreCache::operator))
    }
}

fn rule(default: Option<CacheOperator>, forced: Option<CacheOperator>) -> Option<CacheRule> {
    forced.map(CacheRule::Forced).or(default.map(CacheRule::Default))
}

/// A cache operator of loads (PTX ISA 9.0, 9.7.9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LoadCache {
    /// Cache at all levels, likely to be reused.
    Ca,
    /// In L2 and below.
    Cg,
    /// Streaming, likely to be used once.
    Cs,
    /// Last use.
    Lu,
    /// Do not cache: fetch again.
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
