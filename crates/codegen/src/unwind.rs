//! What a debugger needs to find a function's caller: the frame rules of its prologue and its
//! returns (`.debug_frame`, DWARF 3, 6.4).
//!
//! Problem: scheduling may change the order of the instructions of a prologue. So each of them
//! carries what it does ([`crate::code::Item::event`]), and the rules follow from what has been
//! done before an instruction. Blocks that return undo it; the rules before are kept for the blocks
//! after them.

use raddle_cubin::unit::{FrameRule, FrameStep};

use crate::code::{CodeBlock, Event};
use crate::convention::{ENTRY_STACK, FRAME, STACK};
use crate::mir::MFunction;

/// Bytes of an instruction.
const WORD: u32 = 16;

/// Whether it is part of a return.
fn undoes(event: Event) -> bool {
    matches!(event, Event::Unkeep | Event::Fetch(_) | Event::Raise)
}

/// What has been done before an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    lowered: bool,
    entry_stored: bool,
    kept: bool,
    saved: Vec<u8>,
}

impl State {
    fn apply(&mut self, event: Event) {
        match event {
            Event::Lower => self.lowered = true,
            Event::StoreEntry => self.entry_stored = true,
            Event::Save(register) => self.saved.push(register),
            Event::Keep => self.kept = true,
            Event::Unkeep => self.kept = false,
            Event::Fetch(register) => self.saved.retain(|&r| r != register),
            Event::Raise => self.lowered = false,
        }
    }

    /// The register that holds the lowered stack pointer.
    fn base(&self) -> u8 {
        if self.kept { FRAME } else { STACK }
    }

    fn frame(&self, f: &MFunction) -> FrameRule {
        match f.stores.entry_at {
            _ if !self.lowered => FrameRule::Frame { base: STACK, offset: 0 },
            Some(offset) if self.entry_stored => FrameRule::FrameIn { base: self.base(), offset },
            Some(_) => FrameRule::Frame { base: ENTRY_STACK, offset: 0 },
            None => FrameRule::Frame { base: self.base(), offset: f.frame_bytes() },
        }
    }

    /// Where a register of the caller is stored.
    fn place(&self, f: &MFunction, register: u8) -> FrameRule {
        let n = f.stores.saved.iter().position(|&r| r == register).unwrap_or_default() as u32;
        FrameRule::Saved { register, base: self.base(), offset: f.stores.saved_at + 4 * n }
    }
}

/// Returns the changes of the frame, in order.
pub fn steps(blocks: &[CodeBlock], f: &MFunction) -> Vec<FrameStep> {
    let size: u32 = blocks.iter().map(|b| b.items.len() as u32 * WORD).sum();
    let (mut steps, mut at, mut state) = (Vec::new(), 0, State::default());
    for b in blocks {
        let end = at + b.items.len() as u32 * WORD;
        let mut before = None;
        for item in &b.items {
            let event = item.event.filter(|&event| undoes(event));
            if event.is_some() && before.is_none() {
                steps.push(FrameStep { offset: at, rule: FrameRule::Remember });
                before = Some(state.clone());
            }
            at += WORD;
            if let Some(event) = item.event {
                let rules = changes(&mut state, event, f);
                steps.extend(rules.into_iter().map(|rule| FrameStep { offset: at, rule }));
            }
        }
        if let Some(before) = before.filter(|_| end < size) {
            steps.push(FrameStep { offset: end, rule: FrameRule::Recall });
            state = before;
        }
    }
    steps
}

/// Applies an event. Returns the rules that it changes.
fn changes(state: &mut State, event: Event, f: &MFunction) -> Vec<FrameRule> {
    let before = state.clone();
    state.apply(event);
    let mut out = Vec::new();
    if state.frame(f) != before.frame(f) {
        out.push(state.frame(f));
    }
    if let Event::Fetch(register) = event {
        out.push(FrameRule::Restored { register });
    }
    // In a frame of a known size, places are relative to the frame address, not to a register.
    let moved = f.stores.entry_at.is_some() && state.base() != before.base();
    let told = |register: &&u8| moved || !before.saved.contains(register);
    out.extend(state.saved.iter().filter(told).map(|&register| state.place(f, register)));
    out
}
