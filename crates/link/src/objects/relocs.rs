//! Determines the outcome of each relocation: filled in here, left to the driver, or dropped.
//!
//! The driver places code and global memory, so references to them stay relocations of the
//! executable. Offsets in constant banks and in shared memory are known here and filled in, as are
//! references between debug sections.

use raddle_cubin::elf::sht;
use raddle_cubin::model::Reloc;
use raddle_cubin::reloc::{Action as Kind, RelocType};

use super::banks::Banks;
use super::graph::{Graph, relocation};
use super::output_sections::{OutputSectionId, Sections};
use super::problem::Problem;
use super::read::{NONE, constant_bank};
use super::resolve::{Class, Program, Role, State, SymbolId, role};
use crate::indexed;

/// The bank number in an operand: bits 54 to 58 of an instruction.
const BANK_AT: u32 = 54;

/// Marks on yields of sm_8x, R_CUDA_YIELD_OPCODE9_0 and R_CUDA_YIELD_CLEAR_PRED4_87: code is
/// complete without them (nvlink 13.0.88 leaves it unchanged and drops them).
const YIELDS: [u32; 2] = [68, 69];

/// The outcome of a relocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// The driver applies it: number, symbol, addend.
    Keep(u32, Target, i64),
    /// Fill in this value, and this constant bank.
    Fill(u64, Option<u8>),
    /// Its function was removed: fill in zeros.
    Clear,
    /// Nothing to do.
    Drop,
    /// The symbol is undefined.
    Undefined(SymbolId),
}

/// The referent of a relocation in the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Symbol(SymbolId),
    Section(OutputSectionId),
}

/// Everything that outcomes depend on.
#[derive(Clone, Copy)]
pub(crate) struct Context<'p, 'a> {
    pub program: &'p Program<'a>,
    pub graph: &'p Graph<'a>,
    pub banks: &'p Banks,
    pub sections: &'p Sections<'a>,
    /// Determines outcomes for this kind of output.
    pub decide: Decide,
}

/// Determines the outcome of a relocation in a section of an object.
pub(crate) type Decide = fn(&Context<'_, '_>, u32, u32, &Reloc) -> Result<Outcome, Problem>;

/// Maps relocations that go through the unified function table to plain ones: executables have no
/// such table (nvlink 13.0.88 output).
fn plain(number: u32) -> u32 {
    match number {
        102 => 2,
        103 => 1,
        104..=111 => number - 28,
        112 => 56,
        113 => 57,
        other => other,
    }
}

/// R_CUDA_ABS16_32: an offset in an immediate.
const IMMEDIATE: u32 = 59;

/// Whether a relocation's operand also has a bank number.
fn has_bank(number: u32) -> bool {
    matches!(number, 64 | 66 | 115)
}

impl Context<'_, '_> {
    /// The outcome of a relocation of section `section` of `object`.
    pub fn outcome(&self, object: u32, section: u32, r: &Reloc) -> Result<Outcome, Problem> {
        (self.decide)(self, object, section, r)
    }

    /// The outcome in an executable.
    pub fn resolve(&self, object: u32, section: u32, r: &Reloc) -> Result<Outcome, Problem> {
        let program = self.program;
        let symbol = program
            .lookup(object, r.symbol)
            .ok_or_else(|| relocation(program, object, section, r, "?", "refers to a symbol that does not exist"))?;
        let s = &program.symbols[symbol as usize];
        let fail = |why: &str| Err(relocation(program, object, section, r, s.name, why));
        let Some(row) = RelocType::by_number(r.number) else { return fail("is of an unknown kind") };
        let place = &program.objects[object as usize].raw.sections[section as usize];
        let debug = role(place) == Role::Debug;
        if debug && program.is_overridden(object, r.symbol) {
            // Not even lengths are cleared (nvlink 13.0.88 output).
            return Ok(Outcome::Drop);
        }
        if row.action == Kind::UnusedClear {
            let gone = program.defined_function(symbol).is_some_and(|f| !self.graph.live[f as usize]);
            return Ok(if gone { Outcome::Clear } else { Outcome::Drop });
        }
        if YIELDS.contains(&r.number) {
            return Ok(Outcome::Drop);
        }
        if s.class == Class::System && r.addend == 0 && row.action == Kind::Unknown {
            // The offset of the unified function table in an indirect call: without a table it is
            // 0, which is already there.
            return Ok(Outcome::Drop);
        }
        if row.action == Kind::Unknown {
            return fail("is of a kind that is not supported");
        }
        let fill = |value: u64| Ok(Outcome::Fill(value.wrapping_add(r.addend as u64), None));
        match s.class {
            Class::Function => match program.defined_function(symbol) {
                Some(f) if !self.graph.live[f as usize] => {
                    if debug {
                        Ok(Outcome::Drop)
                    } else {
                        fail("refers to a function that was removed")
                    }
                }
                Some(f) => {
                    // An alias of a function is replaced by its first name (nvlink 13.0.88 output
                    // for `.alias`).
                    let own = program.functions[f as usize].symbol;
                    let is_alias = own != symbol && s.size == 0 && s.value == program.symbols[own as usize].value;
                    let symbol = if is_alias { own } else { symbol };
                    Ok(Outcome::Keep(plain(r.number), Target::Symbol(symbol), r.addend))
                }
                None if raddle_target::is_system_call(s.name) => {
                    Ok(Outcome::Keep(plain(r.number), Target::Symbol(symbol), r.addend))
                }
                None if s.weak_use => fill(0),
                None => Ok(Outcome::Undefined(symbol)),
            },
            Class::Global if s.state != State::Undefined => {
                Ok(Outcome::Keep(plain(r.number), Target::Symbol(symbol), r.addend))
            }
            Class::Constant if s.state != State::Undefined => {
                let Some((out, offset)) = self.sections.variable(program, symbol) else {
                    return fail("refers to memory that was removed");
                };
                if r.number == 4 {
                    // The driver fills in the generic address of constant memory.
                    return Ok(Outcome::Keep(4, Target::Symbol(symbol), r.addend));
                }
                let kind = program.objects[s.object as usize].raw.sections[s.section as usize].kind;
                let bank = constant_bank(kind).filter(|_| has_bank(r.number));
                // Bank 2 is generated for every kernel; a function's part has the same offset in
                // all of them.
                let offset = if s.function != NONE && constant_bank(kind) == Some(2) {
                    self.banks.bank2_place(s.function).wrapping_add(s.value)
                } else {
                    let _ = out;
                    offset
                };
                Ok(Outcome::Fill(offset.wrapping_add(r.addend as u64), bank))
            }
            Class::Shared => {
                let owner = program.objects[object as usize].owner[section as usize];
                let user = if owner == NONE { NONE } else { program.first[object as usize] + owner };
                if s.state == State::Undefined && s.size > 0 {
                    return Ok(Outcome::Undefined(symbol));
                }
                match self.banks.shared_place(symbol, user) {
                    Some(offset) => fill(offset),
                    None if debug => Ok(Outcome::Drop),
                    // No kernel reaches it.
                    None => fill(0),
                }
            }
            // The addend of ptxas 13.0.88's code for samplers of their own on sm_80 is the word's
            // place as if there were no other object: nvlink adds it to the place that it chooses.
            Class::Bound(_) if r.number == IMMEDIATE => {
                let word = self.banks.bound.word(symbol).unwrap_or(0);
                let load = indexed::load(place.bytes, r.offset);
                match load.map(|load| word.checked_sub(load.start.into())) {
                    Some(Some(place)) => Ok(Outcome::Fill(place, None)),
                    _ => fail("has no load from the words of textures behind it"),
                }
            }
            Class::Bound(_) => {
                Ok(Outcome::Fill(self.banks.bound.word(symbol).unwrap_or(0), has_bank(r.number).then_some(0)))
            }
            Class::Section => self.section(object, section, r, debug),
            Class::System => fill(0),
            Class::RowSize => Ok(Outcome::Keep(plain(r.number), Target::Symbol(symbol), r.addend)),
            Class::Global | Class::Constant if s.weak_use => fill(0),
            Class::Global | Class::Constant => Ok(Outcome::Undefined(symbol)),
            Class::Nothing => fail("refers to a symbol of no known kind"),
        }
    }

    /// Whether symbol `symbol` of `object` is in a function that is not in the output.
    pub fn is_gone(&self, object: u32, symbol: u32) -> bool {
        let found = self.program.lookup(object, symbol).and_then(|id| self.program.defined_function(id));
        found.is_some_and(|f| !self.graph.live[f as usize]) || self.program.is_overridden(object, symbol)
    }

    /// The outcome of a relocation to a section of the object.
    fn section(&self, object: u32, section: u32, r: &Reloc, debug: bool) -> Result<Outcome, Problem> {
        let program = self.program;
        let raw = &program.objects[object as usize].raw;
        let number = match raw.symbols.get(r.symbol as usize).map(|s| s.place) {
            Some(raddle_cubin::model::SymbolPlace::Section(number)) => number,
            _ => return Err(relocation(program, object, section, r, "?", "refers to no section")),
        };
        let (out, base) = self.sections.placements[object as usize][number as usize];
        let target = &raw.sections[number as usize];
        if out == NONE {
            let why = "refers to a section that was removed";
            return if debug {
                Ok(Outcome::Clear)
            } else {
                Err(relocation(program, object, section, r, target.name, why))
            };
        }
        let value = base.wrapping_add(r.addend as u64);
        match (role(target), constant_bank(target.kind)) {
            (Role::Debug, _) => Ok(Outcome::Fill(value, None)),
            (_, Some(bank)) => Ok(Outcome::Fill(value, Some(bank).filter(|_| has_bank(r.number)))),
            _ if target.kind == sht::CUDA_SHARED => {
                Err(relocation(program, object, section, r, target.name, "refers to shared memory without a name"))
            }
            _ => Ok(Outcome::Keep(plain(r.number), Target::Section(out), value as i64)),
        }
    }
}

/// Fills in a value.
pub(crate) fn fill(
    bytes: &mut [u8],
    r: &Reloc,
    value: u64,
    bank: Option<u8>,
) -> Result<(), raddle_cubin::reloc::ApplyError> {
    let row = RelocType::by_number(r.number).ok_or(raddle_cubin::reloc::ApplyError::Unsupported(r.number))?;
    row.apply(bytes, r.offset, value)?;
    if let Some(bank) = bank
        && let Some(word) =
            usize::try_from(r.offset).ok().and_then(|at| bytes.get_mut(at..)).and_then(|b| b.first_chunk_mut::<16>())
    {
        let cleared = u128::from_le_bytes(*word) & !(0x1f << BANK_AT);
        *word = (cleared | u128::from(bank) << BANK_AT).to_le_bytes();
    }
    Ok(())
}

/// Writes zeros over the reference to a dropped function.
pub(crate) fn clear(bytes: &mut [u8], r: &Reloc) -> Result<(), raddle_cubin::reloc::ApplyError> {
    use raddle_cubin::reloc::ApplyError;
    let row = RelocType::by_number(r.number).ok_or(ApplyError::Unsupported(r.number))?;
    let size = bytes.len();
    let start = usize::try_from(r.offset).ok();
    let range = start.and_then(|s| Some(s..s.checked_add(row.width.into())?)).and_then(|range| bytes.get_mut(range));
    range.ok_or(ApplyError::Outside { name: row.name, offset: r.offset, size })?.fill(0);
    Ok(())
}
