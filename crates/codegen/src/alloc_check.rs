//! Checks an assignment of registers, independently of the allocator.

use raddle_ir::Stop;
use raddle_sass::row::File;

use crate::alloc::{Assignment, Reserved, call_points, leaf_points, numbers};
use crate::convention::is_kept;
use crate::destruct::alignment;
use crate::live::ranges;
use crate::mir::{MFunction, MKind, V};

/// Checks that no two registers with one number are live at once, that no number is reserved or out
/// of range, and that the members of each list are contiguous and aligned.
///
/// # Errors
/// [`Stop::Internal`] that names the first conflict.
pub fn check(f: &MFunction, assignment: &Assignment) -> Result<(), Stop> {
    let fail = |what: String| Err(Stop::Internal { pass: "alloc", what });
    let ranges = ranges(f);
    let reserved = Reserved::of(f);
    let mut placed: Vec<(File, u8, u32, u32, V)> = Vec::new();
    for (v, &file) in f.vregs.iter() {
        if ranges.of(v).is_empty() {
            continue;
        }
        let Some(n) = assignment.number[v] else { return fail(format!("{v} has no number")) };
        let last = numbers(file, usize::from(assignment.registers));
        if usize::from(n) >= last || reserved.has(file, usize::from(n)) {
            return fail(format!("{v} has the reserved number {n}"));
        }
        placed.extend(ranges.of(v).iter().map(|&(from, to)| (file, n, from, to, v)));
    }
    let calls = call_points(f);
    let lost = |&&(file, n, from, to, _): &&(File, u8, u32, u32, V)| {
        let next = calls.partition_point(|&c| c < from);
        !is_kept(file, usize::from(n)) && calls.get(next).is_some_and(|&c| c < to)
    };
    if let Some((.., v)) = placed.iter().find(lost) {
        return fail(format!("{v} is live across a call that clobbers it"));
    }
    for (at, lost) in leaf_points(f) {
        let live = placed.iter().find(|&&(file, n, from, to, _)| from <= at && at < to && lost.has(file, n.into()));
        if let Some((.., v)) = live {
            return fail(format!("{v} is live across a leaf that writes it"));
        }
    }
    for (number, start, end) in crate::leaf_places::words(f) {
        let live = placed.iter().find(|p| (p.0, p.1) == (File::Gpr, number) && p.2 < end && start < p.3);
        if let Some((.., v)) = live {
            return fail(format!("{v} overwrites a word of a leaf"));
        }
    }
    let pins = crate::leaf_places::pins(f);
    if let Some((.., v)) = placed.iter().find(|p| pins[p.4].is_some_and(|n| n != p.1)) {
        return fail(format!("{v} is not where the leaf has it"));
    }
    // By file, number and start, in one word.
    let key = |p: &(File, u8, u32, u32, V)| (p.0 as u64) << 40 | u64::from(p.1) << 32 | u64::from(p.2);
    placed.sort_unstable_by_key(key);
    for pair in placed.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        if (a.0, a.1) == (b.0, b.1) && b.2 < a.3 {
            return fail(format!("{} and {} share number {}", a.4, b.4, a.1));
        }
    }
    for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        for o in &i.ops {
            let (MKind::Regs(vs) | MKind::Addr { base: vs, .. }) = &o.kind else { continue };
            let Some(first) = vs.first().and_then(|v| assignment.number[*v]).map(usize::from) else { continue };
            let together =
                vs.iter().enumerate().all(|(n, v)| assignment.number[*v].map(usize::from) == Some(first + n));
            if !together || !first.is_multiple_of(alignment(vs.len())) {
                return fail(format!("{vs:?} are not contiguous"));
            }
        }
    }
    Ok(())
}
