//! Compiles the threads of a program, and converts the machine code back to a program.
//!
//! Strategy: each thread is a straight-line kernel, and each location has a different place in
//! global memory, so that the offset of an access identifies it ([`crate::memory_order`]). The
//! accesses found in the machine code, in their order, form the new thread; a removed access
//! becomes a move of its known value. The checker decides whether the new program has an outcome
//! that the original lacks.
//!
//! An acquiring load has the position of the fence after it, a releasing store that of the fence
//! before it: neither orders what the machine code has between the two.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};

use super::program::{Instr, Operand, Program, Scope, Sem, Strength, Thread};
use crate::memory_order::{Done, Space, Way, done};

/// Bytes between two locations, so that no two accesses are combined.
const APART: u32 = 64;

/// The kernel of a thread; `None` if it has jumps, moves or operations that the shapes do not use.
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

/// The numbers of fence instructions before and after an operation on the machine ("ptxas 13.0.88
/// output", and in our code): a fence beyond the thread block also invalidates the first-level
/// cache.
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

/// Converts the machine code of a thread back to a thread.
///
/// # Errors
/// Machine code that does not match the thread: missing fences, duplicate accesses, or missing
/// strong accesses.
pub fn reordered(thread: &Thread, cubin: &[u8], arch: &str) -> Result<Thread> {
    let done = done(cubin, arch)?;
    let fence_at: Vec<usize> = (0..done.len()).filter(|&n| matches!(done[n], Done::Fence | Done::Barrier)).collect();
    let wanted: usize = thread.code.iter().map(|i| fences(i).0 + fences(i).1).sum();
    ensure!(fence_at.len() == wanted, "{} fences and barriers where {wanted} belong", fence_at.len());
    let mut next_fence = fence_at.iter().copied();
    let mut placed: Vec<(usize, usize, Instr)> = Vec::new();
    // For each location, the accesses in the machine code.
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
    // The known value of a location since its last access.
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
        // If there are fewer accesses than operations: a store that a later one overwrites, a load
        // of a known value.
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
            // Its position is after the instruction that produced the value.
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

/// Converts all threads of a program in this way. `compile` makes the cubin of a kernel.
///
/// # Errors
/// As [`reordered`], and errors of `compile`.
pub fn compiled(program: &Program, arch: &str, mut compile: impl FnMut(&str) -> Result<Vec<u8>>) -> Result<Program> {
    let thread = |t: &Thread| {
        let text = text(t).context("the thread has jumps")?;
        let cubin = compile(&text)?;
        reordered(t, &cubin, arch).with_context(|| text.clone())
    };
    let threads = program.threads.iter().map(thread).collect::<Result<_>>()?;
    Ok(Program { threads, ..program.clone() })
}
