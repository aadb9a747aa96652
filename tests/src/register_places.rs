//! Judges what a cubin says about the machine registers of PTX registers (`-g`,
//! [`raddle_cubin::registers`]): the simulator runs the code and the interpreter the PTX, and before
//! each instruction every machine register that is said to hold a PTX register's value is compared
//! with the value that the PTX register has before the line of that instruction.
//!
//! The instructions of a thread are paired with the steps of the interpreter by their lines: the
//! longest common subsequence. What is not in the order of the PTX has no step and is not compared.
//! Addresses of variables differ between the two machines, and so do results of atomic operations:
//! registers that may hold them are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::lines::{LineTable, Lines};
use raddle_cubin::registers::{self, GENERAL, PREDICATE};
use raddle_cubin::unit::RegisterRange;
use raddle_diag::{Diags, FileId};
use raddle_ptx::Reg;
use raddle_sim::failure::Location;
use raddle_sim::machine::Image;
use raddle_sim::{interp, machine};

use crate::kernel::Launch;
use crate::run;

/// The lanes of the first warp that are followed.
const LANES: [u32; 3] = [0, 5, 31];
/// The most instructions and steps of a lane that are followed.
const STEPS: usize = 2500;

/// The ranges of each function.
pub type Claims = BTreeMap<String, Vec<RegisterRange>>;

/// Reads the ranges of a cubin.
///
/// # Errors
/// Missing or damaged sections.
pub fn claims(cubin: &Cubin) -> Result<Claims> {
    let section =
        |name: &str| Ok::<_, anyhow::Error>(cubin.section(name).with_context(|| format!("no {name}"))?.bytes());
    let read = registers::read(section(registers::PLACES)?, section(registers::TYPES)?)?;
    Ok(read.into_iter().map(|f| (f.function, f.ranges)).collect())
}

/// The registers of a function of a PTX module.
struct Body {
    /// Number, in explicit form, and bits of an element of each register whose name is unique and whose values can be
    /// compared.
    registers: BTreeMap<String, (u32, u32)>,
    /// The numbers of these registers and of the elements of vectors, in order.
    numbers: Vec<u32>,
}

/// Register and part, with value and undefined bits.
type Part = ((u32, u8), (u32, u32));

/// A step of the interpreter.
struct Step {
    function: String,
    line: u32,
    /// Call depth.
    depth: u32,
    /// Values and undefined bits of the registers that can be compared, before it: by register and
    /// part, in their order.
    values: Vec<Part>,
}

/// An instruction of the machine.
struct Instruction {
    function: String,
    line: u32,
    /// Call depth.
    depth: u32,
    /// Byte offset in the function.
    at: u32,
    /// Values and undefined bits of the general registers, before it.
    general: Vec<(u32, u32)>,
    /// The same of the predicates.
    predicates: Vec<(bool, bool)>,
}

/// The paired runs of a launch.
pub struct Runs {
    bodies: BTreeMap<String, Body>,
    pairs: Vec<(Instruction, Rc<Step>)>,
    /// Instructions of the lanes that are followed.
    pub instructions: usize,
}

/// The comparisons that were made.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Values that were equal.
    pub values: usize,
    /// PTX registers, with their functions, that had no value somewhere in a range.
    pub undefined: BTreeSet<(String, String)>,
    /// Ranges in which there was a value.
    pub ranges: BTreeSet<(String, RegisterRange)>,
}

impl Runs {
    /// Runs a launch of `ptx` and of its cubin.
    ///
    /// # Errors
    /// Failures of either run.
    pub fn of(ptx: &str, cubin: &[u8], entry: &str, launch: &Launch) -> Result<Runs> {
        let bodies = bodies(ptx);
        let parsed = Cubin::parse(cubin)?;
        let mut lines: BTreeMap<String, LineTable> = BTreeMap::new();
        for function in parsed.functions() {
            lines.insert(function.name.to_owned(), LineTable::read(&parsed, function.section, Lines::Ptx)?);
        }
        let steps = interpreted(ptx, entry, launch, &bodies)?;
        let instructions = simulated(cubin, entry, launch, &lines)?;
        let mut out = Runs { bodies, pairs: Vec::new(), instructions: instructions.iter().map(Vec::len).sum() };
        for (instructions, steps) in instructions.into_iter().zip(steps) {
            out.pairs.extend(paired(instructions, steps));
        }
        Ok(out)
    }

    /// The share of instructions that have a step.
    pub fn share(&self) -> f64 {
        self.pairs.len() as f64 / self.instructions.max(1) as f64
    }

    /// Compares all values that the claims are about.
    ///
    /// # Errors
    /// The first value that differs.
    pub fn compare(&self, claims: &Claims, seen: &mut Seen) -> Result<()> {
        for (instruction, step) in &self.pairs {
            let Instruction { function, at, line, general, predicates, .. } = instruction;
            let Some(body) = self.bodies.get(function) else { continue };
            for range in claims.get(function).into_iter().flatten().filter(|r| (r.from..r.to).contains(at)) {
                let Some(&(register, _)) = body.registers.get(&range.name) else { continue };
                let context = || format!("{function}+{at:#x}, line {line}: {range:?}");
                let of_element = body.registers[&range.name].1.div_ceil(32) as u8;
                let place = (register + u32::from(range.part / of_element), range.part % of_element);
                let found = step.values.binary_search_by_key(&place, |part| part.0);
                let (want, unknown) = step.values[found.ok().with_context(context)?].1;
                let (class, number) = (range.register >> 24, (range.register & 0xff) as u8);
                let (got, undefined) = match class {
                    GENERAL => general[usize::from(number)],
                    PREDICATE => {
                        let (value, undefined) = predicates[usize::from(number)];
                        (u32::from(value), u32::from(undefined))
                    }
                    _ => anyhow::bail!("{}: an unknown class", context()),
                };
                let known = self.mask(function, &range.name) & !unknown;
                ensure!(got & known == want & known, "{}: {got:#x}, not {want:#x}", context());
                ensure!(undefined & known == 0, "{}: undefined bits {:#x}", context(), undefined & known);
                if known == 0 {
                    seen.undefined.insert((function.clone(), range.name.clone()));
                } else {
                    seen.values += 1;
                    seen.ranges.insert((function.clone(), range.clone()));
                }
            }
        }
        Ok(())
    }

    /// The bits of a part of a register.
    fn mask(&self, function: &str, name: &str) -> u32 {
        let bits = self.bodies[function].registers[name].1;
        u32::MAX >> 32u32.saturating_sub(bits)
    }
}

/// The functions of a module with the registers that can be compared.
fn bodies(ptx: &str) -> BTreeMap<String, Body> {
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(ptx, FileId::FIRST, &mut diags);
    let mut out = BTreeMap::new();
    let mut stored = Stored::default();
    // Addresses that are stored may be loaded anywhere.
    for _ in 0..3 {
        for id in outline.funcs.keys().filter(|id| outline.funcs[*id].body.is_some()) {
            let func = &outline.funcs[id];
            let body = raddle_ptx::parse_body(ptx, FileId::FIRST, &outline, id, &mut diags);
            let mut registers: BTreeMap<String, Option<(u32, u32)>> = BTreeMap::new();
            // In explicit form the elements of a vector are registers of their own.
            let (mut number, mut widths) = (0, BTreeMap::new());
            for reg in (0..body.reg_count()).map(Reg::from_u32) {
                let first = number;
                widths.insert(first, u32::from(body.reg_group(reg).width));
                number += widths[&first];
                let bits = if body.reg_ty(reg) == raddle_ptx::Ty::Pred { 1 } else { body.reg_ty(reg).bits() as u32 };
                let entry = registers.entry(body.reg_name(reg));
                entry.and_modify(|r| *r = None).or_insert(Some((first, bits)));
            }
            let variables: BTreeSet<String> = body.vars.values().map(|var| var.name.to_string()).collect();
            let globals = outline.globals.values().map(|global| global.var.name.to_string());
            let variables = variables.into_iter().chain(globals).collect();
            let names: BTreeSet<&str> = registers.keys().map(|name| &**name).collect();
            let addresses = addresses(&ptx[func.text.clone()], &names, &variables, func.entry, &mut stored);
            let comparable = registers.into_iter().filter(|(name, _)| !addresses.contains(name));
            let registers: BTreeMap<_, _> = comparable.filter_map(|(name, place)| Some((name, place?))).collect();
            let mut numbers: Vec<u32> =
                registers.values().flat_map(|&(first, _)| first..first + widths[&first]).collect();
            numbers.sort_unstable();
            out.insert(func.name.to_string(), Body { registers, numbers });
        }
    }
    out
}

/// Whether addresses of variables are stored: in parameters, and in other memory.
#[derive(Default)]
struct Stored {
    parameters: bool,
    memory: bool,
}

/// The registers of a function whose values may depend on addresses of variables or on the order of
/// threads, by its text.
fn addresses(
    text: &str,
    registers: &BTreeSet<&str>,
    variables: &BTreeSet<String>,
    entry: bool,
    stored: &mut Stored,
) -> BTreeSet<String> {
    let mut out: BTreeSet<String> = BTreeSet::new();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '%' | '$' | '_');
    let words =
        |text: &str| text.split(|c| !is_name(c)).filter(|w| !w.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    loop {
        let before = out.len();
        for statement in text.split(['\n', ';', '{', '}']).map(str::trim) {
            let statement = statement.split_once(' ').filter(|(w, _)| w.starts_with('@')).map_or(statement, |s| s.1);
            let Some((operation, operands)) = statement.trim().split_once([' ', '\t']) else { continue };
            let (first, rest) = operands.split_once(',').unwrap_or((operands, ""));
            let is_address = |w: &String| out.contains(w) || variables.contains(w);
            let reads = operation.starts_with("ld.");
            let (parameter, store) = (operation.contains(".param"), operation.starts_with("st."));
            let found = match () {
                // What an atomic operation finds depends on the order of the threads.
                () if operation.starts_with("atom") => true,
                () if reads && parameter => !entry && stored.parameters,
                () if reads => stored.memory,
                () => words(rest).iter().any(is_address),
            };
            if store && found {
                *(if parameter { &mut stored.parameters } else { &mut stored.memory }) = true;
            } else if found {
                out.extend(words(first).into_iter().filter(|w| registers.contains(&**w)));
            }
        }
        // A vector is split at its braces: its elements are then operands of no operation.
        if out.len() == before {
            return out;
        }
    }
}

/// The steps of each lane.
fn interpreted(ptx: &str, entry: &str, launch: &Launch, bodies: &BTreeMap<String, Body>) -> Result<Vec<Vec<Step>>> {
    let mut out: Vec<Vec<Step>> = LANES.map(|_| Vec::new()).into();
    let mut setup = run::setup(entry, launch);
    let mut trace = |event: &interp::Event<'_>| {
        let Location::Ptx { function, line, .. } = &event.place else { return };
        if (event.block, event.warp) != (0, 0) {
            return;
        }
        for (steps, lane) in out.iter_mut().zip(LANES) {
            if event.mask >> lane & 1 == 0 || steps.len() >= STEPS {
                continue;
            }
            let numbers = bodies.get(function).map_or(&[][..], |body| &body.numbers);
            let mut values = Vec::with_capacity(2 * numbers.len());
            for &register in numbers {
                let mut part = 0;
                while let Some(value) = event.registers.part(register, part, lane) {
                    values.push(((register, part), value));
                    part += 1;
                }
            }
            let depth = event.registers.depth();
            steps.push(Step { function: function.clone(), line: *line, depth, values });
        }
    };
    let how = interp::Setup { trace: Some(&mut trace), ..interp::Setup::default() };
    interp::run_with(ptx, &setup.launch, &mut setup.memory, how).context("interpreter")?;
    Ok(out)
}

/// The instructions of each lane.
fn simulated(
    cubin: &[u8],
    entry: &str,
    launch: &Launch,
    lines: &BTreeMap<String, LineTable>,
) -> Result<Vec<Vec<Instruction>>> {
    let mut out: Vec<Vec<Instruction>> = LANES.map(|_| Vec::new()).into();
    let mut setup = run::setup(entry, launch);
    let image = Image::load(cubin, &setup.launch, &mut setup.memory).map_err(|e| anyhow::anyhow!("{e}"))?;
    // Call depth, and the last instruction if the lane ran it.
    let mut calls = LANES.map(|_| (0u32, String::new()));
    let mut trace = |event: &machine::Event<'_>| {
        if (event.block, event.warp) != (0, 0) {
            return;
        }
        let Location::Sass { function, pc, text, .. } = image.place(event.pc / 16) else { return };
        let line = lines.get(&function).and_then(|table| table.at(pc.into())).map_or(0, |row| row.line);
        for ((instructions, (depth, last)), lane) in out.iter_mut().zip(&mut calls).zip(LANES) {
            if event.active >> lane & 1 == 1 {
                match last.split('.').next() {
                    Some("CALL") => *depth += 1,
                    Some("RET") => *depth = depth.saturating_sub(1),
                    _ => {}
                }
                *last = if event.mask >> lane & 1 == 1 { text.clone() } else { String::new() };
            }
            if event.active >> lane & 1 == 1 && instructions.len() < 2 * STEPS {
                instructions.push(Instruction {
                    function: function.clone(),
                    line,
                    depth: *depth,
                    at: pc,
                    general: (0..255).map(|n| event.registers.general(n, lane)).collect(),
                    predicates: (0..8).map(|n| event.registers.predicate(n, lane)).collect(),
                });
            }
        }
    };
    let how = machine::Setup { trace: Some(&mut trace), ..machine::Setup::default() };
    machine::run_image(&image, &setup.launch, &mut setup.memory, how).context("simulator")?;
    Ok(out)
}

/// Pairs the instructions of a lane with the steps of the interpreter.
fn paired(instructions: Vec<Instruction>, steps: Vec<Step>) -> Vec<(Instruction, Rc<Step>)> {
    // Instructions of one line belong together.
    let mut groups: Vec<Vec<Instruction>> = Vec::new();
    for i in instructions {
        let last = groups.last().and_then(|group| group.last());
        let same = last.is_some_and(|last| {
            (&last.function, last.line, last.depth) == (&i.function, i.line, i.depth) && last.at < i.at
        });
        match groups.last_mut().filter(|_| same) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    let equal = |g: usize, s: usize| {
        let first = &groups[g][0];
        (first.line, first.depth, &first.function) == (steps[s].line, steps[s].depth, &steps[s].function)
    };
    let (rows, columns) = (groups.len(), steps.len());
    let mut best = vec![vec![0u16; columns + 1]; rows + 1];
    for g in (0..rows).rev() {
        for s in (0..columns).rev() {
            let skip = best[g + 1][s].max(best[g][s + 1]);
            best[g][s] = if equal(g, s) { skip.max(best[g + 1][s + 1] + 1) } else { skip };
        }
    }
    let mut partner: Vec<Option<usize>> = vec![None; rows];
    let (mut g, mut s) = (0, 0);
    while g < rows && s < columns {
        if equal(g, s) && best[g][s] == best[g + 1][s + 1] + 1 {
            partner[g] = Some(s);
            (g, s) = (g + 1, s + 1);
        } else if best[g + 1][s] >= best[g][s + 1] {
            g += 1;
        } else {
            s += 1;
        }
    }
    let mut steps: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    let mut out = Vec::new();
    for (group, step) in groups.into_iter().zip(partner) {
        let Some(step) = step.and_then(|s| steps[s].take()) else { continue };
        let step = Rc::new(step);
        out.extend(group.into_iter().map(|instruction| (instruction, Rc::clone(&step))));
    }
    out
}
