//! Lookups with derivatives of three coordinates, or with derivatives and a comparison.
//!
//! The machine's instruction takes derivatives of two coordinates at most. On sm_80 to sm_89 such a
//! lookup is one of a quad ([`raddle_ir::TexKind::Quad`]); on sm_90 it is a call of a function of the
//! driver. Its convention ("ptxas 13.0.88 output" for every combination): by the platform's rules it
//! has as parameters the handle of the texture (64 bits), that of a separate sampler, coordinates
//! after the layer, derivatives in x, in y, offsets (four words each, aligned as such; ptxas sets
//! those that count), the reference. Results are whether memory is there, and four words, or two of
//! binary16 pairs. Directions are not divided, layers not bounded.

use crate::build::Lower;
use crate::convention::WORDS;
use crate::reason::{Reason, unsupported};
use raddle_ir::{Cond, Op as I, Sign, TexDim, Value, Width};
use raddle_ptx::{Base, InstId, Operand, Reg, Ty};

/// Words of coordinates, derivatives, offsets.
const VECTOR: usize = 4;

/// Whether a lookup with derivatives is one of a quad; `rest` is behind its coordinates.
pub(crate) fn is_of_quad(dim: TexDim, rest: &[Operand]) -> bool {
    dim.coordinates().0 == 3 || rest.iter().skip(2).any(|operand| !matches!(operand, Operand::Vec(_)))
}

/// The dimensions in a name.
fn geometry(dim: TexDim) -> &'static str {
    match dim {
        TexDim::D1 => "1d",
        TexDim::D2 => "2d",
        TexDim::D3 => "3d",
        TexDim::Cube => "cube",
        TexDim::A1 => "a1d",
        TexDim::A2 => "a2d",
        TexDim::ACube => "acube",
    }
}

/// Words of arguments: in registers as far as there is room, then in memory.
struct Words(Vec<Option<Value>>);

impl Words {
    /// Adds a parameter of as many words as its alignment has, at the lowest free place.
    fn push(&mut self, words: &[Option<Value>], taken: &mut u32) {
        let size = words.len();
        let mask = (1u32 << size) - 1;
        let place = (0..WORDS as usize).step_by(size).find(|&n| n + size <= WORDS as usize && *taken >> n & mask == 0);
        let at = place.unwrap_or_else(|| self.0.len().max(WORDS as usize).next_multiple_of(size));
        if place.is_some() {
            *taken |= mask << at;
        }
        if self.0.len() < at + size {
            self.0.resize(at + size, None);
        }
        self.0[at..at + size].copy_from_slice(words);
    }
}

impl Lower<'_> {
    /// Both words of a handle.
    fn whole_handle(&mut self, operand: Operand) -> Result<[Option<Value>; 2], Reason> {
        let wide = match operand {
            Operand::Addr(Base::Sym(sym), 0) | Operand::Symbol(sym, 0) => self.bound_value(sym)?,
            Operand::Addr(Base::Reg(reg), 0) => self.value(Operand::Reg(reg), Ty::B64)?,
            other => self.value(other, Ty::B64)?,
        };
        let halves = self.emit_many(I::Unpack, &[wide], &[Width::B32; 2]);
        Ok([Some(halves[0]), Some(halves[1])])
    }

    fn vector(&mut self, list: &[Operand], types: impl Fn(usize) -> Ty) -> Result<[Option<Value>; VECTOR], Reason> {
        let mut out = [None; VECTOR];
        for (n, (to, &operand)) in out.iter_mut().zip(list).enumerate() {
            *to = Some(self.value(operand, types(n))?);
        }
        Ok(out)
    }

    /// Calls the driver's function for a lookup; `rest` are derivatives, offsets, reference.
    pub(crate) fn gradient_of_driver(
        &mut self,
        inst: InstId,
        (dim, resident): (TexDim, Option<Reg>),
        handles: &[Operand],
        coordinates: &[Operand],
        rest: &[Operand],
    ) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst).first().copied();
        let result = match ty {
            Some(Ty::S32) => "s32",
            Some(Ty::U32) => "u32",
            Some(Ty::F16 | Ty::F16x2) => "f16",
            _ => "f32",
        };
        let (count, array) = dim.coordinates();
        let used = count + usize::from(array);
        if coordinates.len() < used {
            return unsupported("a missing coordinate");
        }
        let mut name = "__cuda_syscall_tex_grad".to_owned();
        name += if resident.is_some() { "_pred_" } else { "_" };
        name += &format!("{}_v4_{result}_f32", geometry(dim));
        name += if handles.len() == 2 { "_texmode_independent" } else { "" };
        let (mut words, mut taken) = (Words(Vec::new()), 0);
        for &handle in handles {
            let halves = self.whole_handle(handle)?;
            words.push(&halves, &mut taken);
        }
        let place = self.vector(&coordinates[..used], |n| if array && n == 0 { Ty::B32 } else { Ty::F32 })?;
        words.push(&place, &mut taken);
        let mut reference = None;
        for (n, &operand) in rest.iter().enumerate() {
            if n >= 2 && !matches!(operand, Operand::Vec(_)) {
                reference = Some(self.value(operand, Ty::F32)?);
                continue;
            }
            let list = self.parts(Some(operand));
            let list = &list[..count.min(list.len())];
            let vector = self.vector(list, |_| if n < 2 { Ty::F32 } else { Ty::B32 })?;
            words.push(&vector, &mut taken);
            name += if n < 2 { "" } else { "_offset" };
        }
        if let Some(reference) = reference {
            words.push(&[Some(reference)], &mut taken);
            name += "_depth_compare";
        }
        let mut args = Vec::with_capacity(words.0.len());
        self.given_words(words.0, &mut args);
        let halves = matches!(ty, Some(Ty::F16 | Ty::F16x2));
        let sym = self.symbol(&name, 1);
        let given = self.emit_many(I::Call(sym), &args, &vec![Width::B32; if halves { 3 } else { 5 }]);
        let (there, channels) = (given[0], given[1..].to_vec());
        let parts = self.parts(body.operand(inst, 0));
        for (n, &part) in parts.iter().enumerate().filter(|(_, part)| **part != Operand::Sink) {
            let value = match ty {
                Some(Ty::F16) => {
                    let by = self.constant(16 * (n as u64 % 2), Width::B32);
                    let shifted = self.emit(I::Shr(Sign::U), &[channels[n / 2], by], Width::B32);
                    self.emit(I::Trunc, &[shifted], Width::B16)
                }
                _ => channels[n],
            };
            self.set_operand(Some(part), value)?;
        }
        if let Some(p) = resident {
            let zero = self.constant(0, Width::B32);
            let there = self.icmp(Cond::Ne, Sign::U, there, zero);
            self.set_operand(Some(Operand::Reg(p)), there)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_take_the_lowest_free_words() {
        // Handle, coordinates, derivatives, offsets, reference: R4, R8, R12, stack, stack, R6 (ptxas
        // 13.0.88 output); with a sampler the reference is on the stack, too.
        let value = |n| Some(raddle_entity::EntityRef::new(n));
        let place = |sampler: bool| {
            let (mut words, mut taken) = (Words(Vec::new()), 0);
            for n in 0..if sampler { 2 } else { 1 } {
                words.push(&[value(n), None], &mut taken);
            }
            for n in 2..6 {
                words.push(&[value(n), None, None, None], &mut taken);
            }
            words.push(&[value(6)], &mut taken);
            (0..7).map(|n| words.0.iter().position(|w| *w == value(n))).collect::<Vec<_>>()
        };
        assert_eq!(place(false), [Some(0), None, Some(4), Some(8), Some(12), Some(16), Some(2)]);
        assert_eq!(place(true), [Some(0), Some(2), Some(4), Some(8), Some(12), Some(16), Some(20)]);
    }
}
