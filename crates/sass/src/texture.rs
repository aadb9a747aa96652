//! The arguments of texture and surface instructions: which register holds what.
//!
//! Problem: how many registers an operand of `TEX` and the like names depends on dimensions, level,
//! offsets, comparison, and on the way the handle is given. Strategy: the arguments in their order
//! ([`Inst::texture_arguments`]); the widths of operands and the simulator's reading both follow
//! from it. Source: ptxas 13.0.88 output for every form on sm_80 to sm_90a.

use crate::r#gen::{Mod, Op};
use crate::inst::{Inst, Kind};
use crate::row::{SlotKind, SlotRole};
use smallvec::SmallVec;

/// The meaning of one argument register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Layer of an array. With offsets of `TXD` these are in the upper half.
    Layer,
    /// Coordinate in x, y, z.
    Coordinate(u8),
    /// Texture and sampler (`.B`).
    Handle,
    /// Level of detail, or level.
    Level,
    /// Sample of a texel.
    Sample,
    /// Offsets: 4 bits each, 8 bits each of `TLD4`.
    Offset,
    /// Reference of a depth comparison.
    Compare,
    /// Derivative of coordinate `.0` in x, or in y.
    Derivative(u8, bool),
}

/// Coordinates, and whether there is a layer, of a dimension printed as an operand.
fn dimensions(name: Option<Mod>) -> (u8, bool) {
    match name {
        Some(Mod::N1d | Mod::N1dBuffer) => (1, false),
        Some(Mod::N2d) => (2, false),
        Some(Mod::Array1d | Mod::N1dArray) => (1, true),
        Some(Mod::Array2d | Mod::N2dArray) => (2, true),
        Some(Mod::ArrayCube) => (3, true),
        // 3D, CUBE.
        _ => (3, false),
    }
}

/// Arguments of an instruction, by its two operands.
pub type Arguments = [SmallVec<[Argument; 6]>; 2];

impl Inst {
    /// Returns the dimension of a texture instruction, which is printed as an operand.
    #[must_use]
    pub fn texture_dimension(&self) -> Option<Mod> {
        let n = self.row().slots.iter().position(|slot| slot.role == SlotRole::Misc)?;
        let SlotKind::Named(_, values) = &self.row().slots[n].kind else { return None };
        match self.operands.get(n)?.kind {
            Kind::Named(raw) => values.name(raw),
            _ => None,
        }
    }

    /// Whether the handle of a texture is in a register (`.B`).
    #[must_use]
    pub fn has_handle_register(&self) -> bool {
        let other = |role: SlotRole| self.row().slots.iter().any(|slot| slot.role == role);
        !other(SlotRole::Rc) && !other(SlotRole::Imm3)
    }

    /// Returns the arguments of a texture instruction in its first and second operand.
    #[must_use]
    pub fn texture_arguments(&self) -> Arguments {
        use Argument::*;
        let (coordinates, layer) = dimensions(self.texture_dimension());
        let bound = self.has_handle_register();
        let mut first: SmallVec<[Argument; 6]> = SmallVec::new();
        let mut second: SmallVec<[Argument; 6]> = SmallVec::new();
        let place = (0..coordinates).map(Coordinate);
        match self.op() {
            Op::Txq => {
                first.extend(bound.then_some(Handle));
                first.push(Level);
            }
            Op::Txd => {
                first.extend(bound.then_some(Handle));
                first.extend(place);
                if layer {
                    first.push(Layer);
                } else if self.has(Mod::Aoffi) {
                    first.push(Offset);
                }
                second.extend((0..coordinates).flat_map(|n| [Derivative(n, false), Derivative(n, true)]));
            }
            _ => {
                first.extend(layer.then_some(Layer));
                first.extend(place);
                second.extend(bound.then_some(Handle));
                let level = [Mod::Ll, Mod::Lb, Mod::LbLc].into_iter().any(|m| self.has(m));
                let more = [
                    (level, Level),
                    (self.has(Mod::Aoffi), Offset),
                    (self.has(Mod::Ms), Sample),
                    (self.has(Mod::Dc), Compare),
                ];
                second.extend(more.into_iter().filter(|(given, _)| *given).map(|(_, argument)| argument));
                if self.has(Mod::Scr) {
                    // One list in two operands of at most two registers.
                    first.append(&mut second);
                    let half = first.len().div_ceil(2).min(2);
                    second.extend(first.drain(half..));
                }
            }
        }
        [first, second]
    }

    /// Returns the registers of an operand of a texture or surface instruction.
    pub(crate) fn texture_width(&self, role: SlotRole) -> u8 {
        if matches!(self.op(), Op::Suld | Op::Sust | Op::Sured) {
            let field = self.row().field_index(crate::r#gen::Field::Dim);
            let name = field.and_then(|i| self.row().fields[i].values.name(self.fields[i]));
            let (coordinates, layer) = dimensions(name);
            return coordinates + u8::from(layer);
        }
        match role {
            SlotRole::Ra | SlotRole::Rb => {
                let [first, second] = self.texture_arguments();
                let list = if role == SlotRole::Ra { first } else { second };
                list.len() as u8
            }
            _ => {
                let [low, high] = self.texture_results();
                if role == SlotRole::Rd { low } else { high }
            }
        }
    }

    /// Returns the channels of the mask that a texture instruction returns, one bit each.
    #[must_use]
    pub fn texture_mask(&self) -> u8 {
        match self.slot(SlotRole::Imm).map(|o| o.kind) {
            Some(Kind::Imm(mask)) => mask as u8 & 15,
            _ => 15,
        }
    }

    /// Whether results are pairs of half precision.
    #[must_use]
    pub fn has_half_results(&self) -> bool {
        self.has(Mod::F16Rn) || self.has(Mod::F16Rz)
    }

    /// Returns the registers of the first and the second result: two channels each.
    fn texture_results(&self) -> [u8; 2] {
        let count = self.texture_mask().count_ones() as u8;
        let (low, high) = (count.min(2), count.saturating_sub(2));
        if self.has_half_results() { [u8::from(low > 0), u8::from(high > 0)] } else { [low, high] }
    }
}
