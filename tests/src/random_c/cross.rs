//! Exchanges between threads of a block between phases, on the device and as a loop over lanes on
//! the host.
//!
//! The device text is executed by every thread with its state `t` and number `lane`; the host text
//! runs once, with all states in `all` and a copy of them from before the exchange in `old`.
//! `WARP(l)` is the first lane of the warp of `l`. All lanes participate in `.sync` operations,
//! except in [`Cross::Some`], whose mask is a ballot just before.

/// Threads of the block: two warps.
pub const THREADS: u32 = 64;

/// One exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cross {
    /// Through shared memory, each thread reads the word of another one: `(lane * odd + add) %
    /// THREADS`.
    Shared {
        /// Odd, so that it is a permutation.
        odd: u32,
        /// Any.
        add: u32,
    },
    /// Bytes through shared memory, read as a word by another thread.
    Bytes,
    /// `__shfl_xor_sync` by a constant below 32.
    Butterfly(u32),
    /// `__shfl_sync` of 64 bits from a lane that each lane selects.
    Indexed,
    /// `__shfl_up_sync`, or `__shfl_down_sync`, by a constant.
    Slide {
        /// Whether it shifts up.
        up: bool,
        /// The distance, below 32.
        by: u32,
    },
    /// `__ballot_sync`.
    Ballot,
    /// `__any_sync` and `__all_sync`.
    Vote,
    /// `__match_any_sync` of a few bits.
    Match,
    /// `__reduce_add_sync`, `__reduce_max_sync` (signed), `__reduce_xor_sync`.
    Reduce(u8),
    /// A sum in shared memory by `atomicAdd`.
    Atomic,
    /// `__syncthreads_count`.
    Count,
    /// Only the lanes with a condition: `__reduce_add_sync` and `__shfl_sync` over their ballot.
    Some,
}

impl Cross {
    /// The device's statements.
    pub fn device(&self) -> String {
        match self {
            Self::Shared { odd, add } => format!(
                "words[lane] = t->x; __syncthreads(); t->y ^= words[(lane * {odd}u + {add}u) % THREADS]; __syncthreads();"
            ),
            Self::Bytes => "bytes[lane] = t->c0; __syncthreads(); { u32 f = (lane + 5u) % (THREADS / 4u) * 4u; t->a += (u32)bytes[f] | \
                            (u32)bytes[f + 1u] << 8 | (u32)bytes[f + 2u] << 16 | (u32)bytes[f + 3u] << 24; } __syncthreads();"
                .to_owned(),
            Self::Butterfly(mask) => format!("t->b += __shfl_xor_sync(0xffffffffu, t->a, {mask});"),
            Self::Indexed => "t->y += __shfl_sync(0xffffffffu, (unsigned long long)t->x, (int)(t->b & 31u));".to_owned(),
            Self::Slide { up: true, by } => format!("t->e ^= __shfl_up_sync(0xffffffffu, t->d, {by}u);"),
            Self::Slide { up: false, by } => format!("t->e ^= __shfl_down_sync(0xffffffffu, t->d, {by}u);"),
            Self::Ballot => "t->c = t->c * 3u + __ballot_sync(0xffffffffu, (int)(t->a & 4u));".to_owned(),
            Self::Vote => "t->b += (u32)(__any_sync(0xffffffffu, (int)(t->c0 > 250u)) != 0) * 2u + \
                           (u32)(__all_sync(0xffffffffu, (int)(t->c1 != 7)) != 0);"
                .to_owned(),
            Self::Match => "t->b ^= __match_any_sync(0xffffffffu, t->a & 3u);".to_owned(),
            Self::Reduce(0) => "t->a += __reduce_add_sync(0xffffffffu, t->b);".to_owned(),
            Self::Reduce(1) => "t->d = __reduce_max_sync(0xffffffffu, t->e);".to_owned(),
            Self::Reduce(_) => "t->c ^= __reduce_xor_sync(0xffffffffu, t->a);".to_owned(),
            Self::Atomic => "if (lane == 0u) { total = 0; } __syncthreads(); atomicAdd(&total, t->a); __syncthreads(); \
                             t->c += total; __syncthreads();"
                .to_owned(),
            Self::Count => "t->b += (u32)__syncthreads_count((int)(t->x & 1u));".to_owned(),
            Self::Some => "{ u32 m = __ballot_sync(0xffffffffu, (int)(t->a & 1u)); if ((t->a & 1u) != 0u) { t->c += \
                           __reduce_add_sync(m, t->b); t->d ^= __shfl_sync(m, t->e, __ffs((int)m) - 1); } __syncwarp(); }"
                .to_owned(),
        }
    }

    /// The host's statements.
    pub fn host(&self) -> String {
        let each = |body: &str| format!("for (u32 l = 0; l < THREADS; l++) {{ {body} }}");
        let warp = |start: &str, add: &str, end: &str| {
            each(&format!("{start} for (u32 k = WARP(l); k < WARP(l) + 32u; k++) {{ {add} }} {end}"))
        };
        match self {
            Self::Shared { odd, add } => each(&format!("all[l].y ^= old[(l * {odd}u + {add}u) % THREADS].x;")),
            Self::Bytes => each(
                "u32 f = (l + 5u) % (THREADS / 4u) * 4u; all[l].a += (u32)old[f].c0 | (u32)old[f + 1u].c0 << 8 | \
                 (u32)old[f + 2u].c0 << 16 | (u32)old[f + 3u].c0 << 24;",
            ),
            Self::Butterfly(mask) => each(&format!("all[l].b += old[l ^ {mask}u].a;")),
            Self::Indexed => each("all[l].y += old[WARP(l) + (old[l].b & 31u)].x;"),
            Self::Slide { up: true, by } => {
                each(&format!("all[l].e ^= (l & 31u) >= {by}u ? old[l - {by}u].d : old[l].d;"))
            }
            Self::Slide { up: false, by } => {
                each(&format!("all[l].e ^= (l & 31u) + {by}u < 32u ? old[l + {by}u].d : old[l].d;"))
            }
            Self::Ballot => {
                warp("u32 m = 0;", "if (old[k].a & 4u) { m |= 1u << (k & 31u); }", "all[l].c = old[l].c * 3u + m;")
            }
            Self::Vote => warp(
                "u32 any = 0, every = 1;",
                "any |= old[k].c0 > 250u; every &= old[k].c1 != 7;",
                "all[l].b += any * 2u + every;",
            ),
            Self::Match => warp(
                "u32 m = 0;",
                "if ((old[k].a & 3u) == (old[l].a & 3u)) { m |= 1u << (k & 31u); }",
                "all[l].b ^= m;",
            ),
            Self::Reduce(0) => warp("u32 s = 0;", "s += old[k].b;", "all[l].a += s;"),
            Self::Reduce(1) => warp("i32 s = old[l].e;", "if (old[k].e > s) { s = old[k].e; }", "all[l].d = s;"),
            Self::Reduce(_) => warp("u32 s = 0;", "s ^= old[k].a;", "all[l].c ^= s;"),
            Self::Atomic => {
                format!("{{ u32 s = 0; {} {} }}", each("s += old[l].a;"), each("all[l].c += s;"))
            }
            Self::Count => {
                format!("{{ u32 s = 0; {} {} }}", each("s += (u32)(old[l].x & 1u);"), each("all[l].b += s;"))
            }
            Self::Some => warp(
                "if ((old[l].a & 1u) == 0u) { continue; } u32 s = 0, first = 64u;",
                "if (old[k].a & 1u) { s += old[k].b; if (first == 64u) { first = k; } }",
                "all[l].c += s; all[l].d ^= old[first].e;",
            ),
        }
    }
}
