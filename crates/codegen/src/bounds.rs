//! Launch bounds: the register budget of a thread.
//!
//! Launch bounds guarantee that CTAs of a given size can be launched, and that a given number of
//! them fits a multiprocessor at once. A kernel with too many registers for one CTA cannot be
//! launched at all.

use raddle_ir::Bounds;
use raddle_target::Limits;

/// Returns the largest register count that options and launch bounds allow a thread, at most
/// [`Limits::REGISTERS_PER_THREAD`] (PTX ISA 9.0, 11.4).
///
/// Warps are distributed over the partitions of a multiprocessor, and the fullest is decisive
/// ("ptxas 13.0.88 output": MAXREG_COUNT of 768 kernels for sm_80, sm_86, sm_90). A bound of more
/// CTAs than a multiprocessor can hold is ignored ([`can_hold`]). `maxrregcount` does not hold for
/// kernels that bound their threads (CUDA C++ Programming Guide, "Launch Bounds"; ptxas 13.0.88: those
/// with `.maxntid` or `.reqntid`).
pub fn register_budget(bounds: &Bounds, maxrregcount: Option<u32>, limits: &Limits) -> u32 {
    let mut limit = Limits::REGISTERS_PER_THREAD;
    if let Some(n) = bounds.maxnreg.or(maxrregcount.filter(|_| warps_of(bounds).is_none())) {
        limit = limit.min(n.max(16));
    }
    if let Some(warps) = warps_of(bounds) {
        let ctas = if can_hold(bounds, limits) { bounds.minnctapersm.unwrap_or(1).max(1) } else { 1 };
        let fullest = (warps * ctas).div_ceil(Limits::PARTITIONS);
        let unit = Limits::REGISTER_UNIT / Limits::WARP;
        limit = limit.min(Limits::REGISTERS_PER_SM / Limits::PARTITIONS / (fullest * Limits::WARP) / unit * unit);
    }
    limit
}

/// Returns the warps of the largest CTA that launch bounds allow, if they limit it.
pub(crate) fn warps_of(bounds: &Bounds) -> Option<u32> {
    let threads = bounds.reqntid.or(bounds.maxntid)?.iter().fold(1u32, |all, &n| all.saturating_mul(n.max(1)));
    Some(threads.clamp(1, Limits::THREADS_PER_CTA).div_ceil(Limits::WARP))
}

/// Whether a multiprocessor can hold as many CTAs as `.minnctapersm` requests. If not, the request
/// is ignored ("ptxas 13.0.88 output").
pub fn can_hold(bounds: &Bounds, limits: &Limits) -> bool {
    let ctas = bounds.minnctapersm.unwrap_or(1);
    ctas <= limits.ctas_per_sm && warps_of(bounds).is_none_or(|warps| warps * ctas <= limits.warps_per_sm)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMPERE: Limits =
        Limits { warps_per_sm: 48, ctas_per_sm: 16, shared_per_sm: 102_400, shared_per_cta: 101_376 };

    fn budget(threads: u32, ctas: Option<u32>) -> u32 {
        let bounds = Bounds { maxntid: Some([threads, 1, 1]), minnctapersm: ctas, ..Bounds::default() };
        register_budget(&bounds, None, &AMPERE)
    }

    #[test]
    fn the_fullest_partition_decides() {
        let alone: Vec<u32> = [32, 256, 288, 384, 416, 1024].map(|threads| budget(threads, None)).to_vec();
        // Nine warps: three in one partition.
        assert_eq!(alone, [255, 255, 168, 168, 128, 64]);
        // 21 warps: six.
        assert_eq!(budget(96, Some(7)), 80);
        assert_eq!(budget(128, Some(12)), 40);
    }

    #[test]
    fn an_option_does_not_limit_kernels_with_bounds() {
        let limited = |bounds: Bounds| register_budget(&bounds, Some(32), &AMPERE);
        assert_eq!(limited(Bounds::default()), 32);
        assert_eq!(limited(Bounds { minnctapersm: Some(2), ..Bounds::default() }), 32);
        assert_eq!(limited(Bounds { maxntid: Some([256, 1, 1]), ..Bounds::default() }), 255);
        assert_eq!(limited(Bounds { reqntid: Some([1024, 1, 1]), ..Bounds::default() }), 64);
        assert_eq!(limited(Bounds { maxnreg: Some(40), ..Bounds::default() }), 40);
    }

    #[test]
    fn what_cannot_be_is_not_promised() {
        assert_eq!(budget(128, Some(13)), budget(128, None), "52 warps");
        assert_eq!(budget(32, Some(17)), budget(32, None), "17 CTAs");
        assert_eq!(budget(1024, Some(u32::MAX)), 64);
    }
}
