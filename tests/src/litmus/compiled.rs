//! What a program becomes when its threads are compiled: the same program in the order of the machine code.
//!
//! Strategy: each thread is a straight-line kernel, each location a place of its own in global memory, so that the offset of an
//! access says which one it is ([`crate::memory_order`]). The accesses found in the machine code, in their order, are the thread as it runs;
//! an access that is not there any more has become a move of the value that is known. The checker says whether that program has an
//! outcome that the one before lacks.
//!
//! An acquiring load stands where the fence after it stands, a releasing store where the fence before it does: what the
//! machine code has between the two is ordered by neither.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};

use super::program::{Instr, Operand, Program, Scope, Sem, Strength, Thread};
use crate::memory_order::{Done, Space, Way, done};

/// Bytes between two locations, so that no two accesses become one.
const APART: u32 = 64;

/// The kernel of a thread; `None` if it has jumps, moves or operations that the shapes do not draw.
pub fn text(thread: &Thread) -> Option<String> {
    let mut body = String::new();
    for instr in &thread.code {
        let line = match instr {
            Instr::Load(s, dst, loc) => format!("ld.{s}.global.u32 %r{dst}, {}", place(*loc)),
            Instr::Store(s, loc, Operand::Const(value)) => format!("st.{s}.global.u32 {}, {value}", place(*loc)),
            Instr::Atom {
                strength,
                op: super::program::AtomOp::Exch,
                dst: Some(dst),
                loc,
                args: [Operand::Const(value), _],
            } => {
                format!("atom.{strength}.global.exch.b32 %r{dst}, {}, {value}", place(*loc))
            }
            Instr::Fence(s) => format!("fence.{s}"),
            Instr::Barrier { id: Operand::Const(id), count: None, arrive: false, .. } => format!("bar.sync {id}"),
            _ => return None,
        };
        _ = writeln!(body, "\t{};", line.replace(".weak", ""));
    }
    for reg in 0..thread.regs.len() {
        _ = writeln!(body, "\tst.global.u32 [%q+{}], %r{reg};", 4096 + 4 * reg);
    }
    Some(format!(
        ".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{{\n\t.reg .b64 %p, %q;\n\t\
         .reg .b32 %r<{}>;\n\tld.param.u64 %p, [p];\n\tcvta.to.global.u64 %p, %p;\n\tld.param.u64 %q, [q];\n\t\
         cvta.to.global.u64 %q, %q;\n{body}\tret;\n}}\n",
        thread.regs.len().max(1)
    ))
}

fn place(loc: usize) -> String {
    format!("[%p+{}]", APART * loc as u32)
}

/// Instructions that fence before and after an operation on the machine ("ptxas 13.0.88 output", as our code has it): a fence
/// beyond the thread block also drops the first-level cache.
fn fences(instr: &Instr) -> (usize, usize) {
    let wide = |s: &Strength| 1 + usize::from(s.scope != Scope::Cta);
    let after = |s: &Strength| usize::from(s.sem.acquires());
    match instr {
        Instr::Fence(s) => (wide(s), 0),
        Instr::Barrier { .. } => (1, 0),
        Instr::Load(s, ..) => (0, after(s)),
        Instr::Store(s, ..) if s.sem == Sem::Release => (wide(s), 0),
        Instr::Atom { strength: s, .. } => (if s.sem.releases() { wide(s) } else { 0 }, after(s)),
        _ => (0, 0),
    }
}

/// A thread as its machine code runs it.
///
/// # Errors
/// Machine code that is not that of the thread: fences that are missing, accesses that are there twice, or strong ones that are not there.
pub fn reordered(thread: &Thread, cubin: &[u8], arch: &str) -> Result<Thread> {
    let done = done(cubin, arch)?;
    let fence_at: Vec<usize> = (0..done.len()).filter(|&n| done[n] == Done::Fence).collect();
    let wanted: usize = thread.code.iter().map(|i| fences(i).0 + fences(i).1).sum();
    ensure!(fence_at.len() == wanted, "{} fences and barriers where {wanted} belong", fence_at.len());
    let mut next_fence = fence_at.iter().copied();
    let mut placed: Vec<(usize, usize, Instr)> = Vec::new();
    // For each location the accesses that are left in the machine code.
    let mut left: Vec<Vec<(usize, Way)>> = Vec::new();
    for (n, what) in done.iter().enumerate() {
        if let Done::Access(Space::Global, at, 4, way) = *what
            && at < 4096
        {
            let loc = (at / APART) as usize;
            left.resize(left.len().max(loc + 1), Vec::new());
            left[loc].push((n, way));
        }
    }
    let mut taken = vec![0; left.len()];
    // What is known of a location since the last access to it.
    let mut known: Vec<Option<Operand>> = vec![None; left.len()];
    for (n, instr) in thread.code.iter().enumerate() {
        let (before, after) = fences(instr);
        let before: Vec<usize> = next_fence.by_ref().take(before).collect();
        let after: Vec<usize> = next_fence.by_ref().take(after).collect();
        let Some(loc) = instr.loc() else {
            placed.push((before[0], n, instr.clone()));
            continue;
        };
        let (way, value) = match instr {
            Instr::Load(_, dst, _) => (Way::Load, Operand::Reg(*dst)),
            Instr::Store(_, _, value) => (Way::Store, *value),
            _ => (Way::Update, Operand::Const(0)),
        };
        let later = || thread.code[n + 1..].iter().filter(|i| i.loc() == Some(loc));
        let rest = left.get(loc).map_or(0, |l| l.len() - taken[loc]);
        // Where there are fewer accesses than operations: a store that a later one overwrites, a load of what is known.
        let missing = instr_is_weak(instr)
            && rest < 1 + later().count()
            && match way {
                Way::Store => later().any(|i| matches!(i, Instr::Store(..))),
                Way::Load => known.get(loc).copied().flatten().is_some(),
                Way::Update => false,
            };
        if !missing {
            let (at, found) = left
                .get(loc)
                .and_then(|l| l.get(taken[loc]))
                .copied()
                .with_context(|| format!("{instr} is not there"))?;
            ensure!(found == way, "{found:?} where {instr} belongs");
            taken[loc] += 1;
            let at = after.first().or(before.first()).copied().filter(|_| way != Way::Update).unwrap_or(at);
            placed.push((at, n, instr.clone()));
        } else if let (Instr::Load(_, dst, _), Some(value)) = (instr, known.get(loc).copied().flatten()) {
            // Where it stood: after what gave the value.
            let at = placed.iter().map(|p| p.0).max().unwrap_or(0);
            placed.push((at, n, Instr::Move(*dst, value)));
            continue;
        } else if !matches!(instr, Instr::Store(..)) {
            bail!("{instr} is not there, and nothing says what it loads");
        }
        if let Some(known) = known.get_mut(loc) {
            *known = (way != Way::Update).then_some(value);
        }
    }
    let all = left.iter().zip(&taken).all(|(l, t)| l.len() == *t);
    ensure!(all, "an access is there more often than in the program");
    placed.sort_by_key(|p| (p.0, p.1));
    Ok(Thread { code: placed.into_iter().map(|p| p.2).collect(), ..thread.clone() })
}

fn instr_is_weak(instr: &Instr) -> bool {
    matches!(instr, Instr::Load(s, ..) | Instr::Store(s, ..) if *s == Strength::WEAK)
}

/// The program with its threads as their machine code runs them. `compile` makes the cubin of a kernel.
///
/// # Errors
/// As [`reordered`], and what `compile` says.
pub fn compiled(program: &Program, arch: &str, mut compile: impl FnMut(&str) -> Result<Vec<u8>>) -> Result<Program> {
    let thread = |t: &Thread| {
        let text = text(t).context("the thread has jumps")?;
        let cubin = compile(&text)?;
        reordered(t, &cubin, arch).with_context(|| text.clone())
    };
    let threads = program.threads.iter().map(thread).collect::<Result<_>>()?;
    Ok(Program { threads, ..program.clone() })
}
