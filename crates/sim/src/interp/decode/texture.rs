//! Decodes texture and surface instructions.

use super::super::code::*;
use super::super::texture::{LevelOp, LookupOp, Results, SurfaceAt, TextureOp};
use super::{Decoded, Decoder};
use crate::mem::Handle;
use crate::texture::{Clamp, Geometry, Query};
use raddle_ptx::{Mod, Op, Operand, Ty};

/// Forms of coordinates: dimensions, array, multisampling.
const GEOMETRIES: &[(Mod, Geometry, bool, bool)] = &[
    (Mod::N1d, Geometry::D1, false, false),
    (Mod::N2d, Geometry::D2, false, false),
    (Mod::N3d, Geometry::D3, false, false),
    (Mod::A1d, Geometry::D1, true, false),
    (Mod::A2d, Geometry::D2, true, false),
    (Mod::Cube, Geometry::Cube, false, false),
    (Mod::Acube, Geometry::Cube, true, false),
    (Mod::N2dms, Geometry::D2, false, true),
    (Mod::A2dms, Geometry::D2, true, true),
];

/// What queries ask for.
const QUERIES: &[(Mod, Query)] = &[
    (Mod::Width, Query::Extent(0)),
    (Mod::Height, Query::Extent(1)),
    (Mod::Depth, Query::Extent(2)),
    (Mod::ChannelDataType, Query::ChannelType),
    (Mod::ChannelOrder, Query::ChannelOrder),
    (Mod::NormalizedCoords, Query::Normalized),
    (Mod::ArraySize, Query::ArraySize),
    (Mod::NumMipmapLevels, Query::Levels),
    (Mod::NumSamples, Query::Samples),
    (Mod::ForceUnnormalizedCoords, Query::Unnormalized),
    (Mod::FilterMode, Query::Filter),
    (Mod::AddrMode0, Query::Wrap(0)),
    (Mod::AddrMode1, Query::Wrap(1)),
    (Mod::AddrMode2, Query::Wrap(2)),
    (Mod::MemoryLayout, Query::Layout),
];

/// The parts of the brackets: a handle, a sampler, the coordinates.
struct Brackets {
    handle: Row,
    sampler: Option<Row>,
    coordinates: Vec<Operand>,
}

impl Decoder<'_> {
    /// Decodes an instruction of this family; returns false for others.
    pub(super) fn texture(&mut self, op: Op) -> Decoded<bool> {
        let op = match op {
            Op::Tex | Op::Tld4 => TextureOp::Lookup(Box::new(self.lookup(op)?)),
            Op::Txq | Op::Suq => {
                let operands = self.operands();
                let [d, at, ref level @ ..] = *operands.as_slice() else { return Err("operands".into()) };
                let query = QUERIES.iter().find(|(m, _)| self.has(*m)).ok_or("query")?.1;
                let level = level.first().map(|&level| self.source(level, Ty::U32)).transpose()?;
                TextureOp::Query { dst: self.target(d)?, handle: self.handle(at)?, query, level }
            }
            Op::Istypep => {
                let [Operand::Reg(d), a] = self.exactly()? else { return Err("destination".into()) };
                let kinds = [(Ty::Texref, Handle::Texture), (Ty::Samplerref, Handle::Sampler)];
                let ty = self.ty(0)?;
                let kind = kinds.iter().find(|kind| kind.0 == ty).map_or(Handle::Surface, |kind| kind.1);
                TextureOp::IsType { dst: self.pred(d)?, handle: self.source(a, Ty::B64)?, kind }
            }
            Op::Suld => {
                let [d, at] = self.exactly()?;
                let bytes = self.ty(0)?.bytes() as usize;
                let dst = self.elements(d);
                let dst = dst.into_iter().map(|d| self.optional_target(d)).collect::<Decoded<Vec<_>>>()?;
                TextureOp::Load { at: self.surface(at)?, dst, bytes }
            }
            Op::Sust => {
                let [at, s] = self.exactly()?;
                let ty = self.ty(0)?;
                let at = self.surface(at)?;
                let src = self.elements(s);
                let src = src.into_iter().map(|s| self.source(s, ty)).collect::<Decoded<Vec<_>>>()?;
                match at.bytes {
                    true => TextureOp::Store { at, src, bytes: ty.bytes() as usize },
                    false => TextureOp::StoreTexel { at, src },
                }
            }
            Op::Sured => {
                let [at, s] = self.exactly()?;
                let ty = self.ty(0)?;
                let wide = ty.bits() == 64;
                // In the surface's format the type of integers is the surface's, too.
                let types = match (self.has(Mod::P), wide) {
                    (false, _) => [ty, ty],
                    (true, false) => [Ty::U32, Ty::S32],
                    (true, true) => [Ty::U64, Ty::S64],
                };
                let op = [self.atom_op(types[0])?, self.atom_op(types[1])?];
                let src = self.source(s, ty)?;
                TextureOp::Reduce { at: self.surface(at)?, op, src, bytes: ty.bytes() as usize }
            }
            _ => return Ok(false),
        };
        self.push(Kind::Texture(Box::new(op)));
        Ok(true)
    }

    fn optional_target(&mut self, operand: Operand) -> Decoded<Option<Row>> {
        match operand {
            Operand::Sink => Ok(None),
            other => self.target(other).map(Some),
        }
    }

    /// The handle of an operand `[a]`.
    fn handle(&mut self, operand: Operand) -> Decoded<Row> {
        match operand {
            Operand::Addr(raddle_ptx::Base::Reg(reg), 0) => self.row(reg),
            Operand::Addr(raddle_ptx::Base::Sym(sym), 0) => self.symbol(sym, 0),
            other => self.source(other, Ty::B64),
        }
    }

    fn brackets(&mut self, operand: Operand) -> Decoded<Brackets> {
        let Operand::Bracket(parts) = operand else { return Err("brackets".into()) };
        let parts = self.body.list(parts).to_vec();
        let (&last, handles) = parts.split_last().ok_or("brackets")?;
        let mut rows = Vec::new();
        for &handle in handles {
            rows.push(self.handle(handle)?);
        }
        let &[handle, ref sampler @ ..] = rows.as_slice() else { return Err("a handle is missing".into()) };
        Ok(Brackets { handle, sampler: sampler.first().copied(), coordinates: self.elements(last) })
    }

    fn geometry(&self) -> Decoded<(Geometry, bool, bool)> {
        let row = GEOMETRIES.iter().find(|row| self.has(row.0)).ok_or("geometry")?;
        Ok((row.1, row.2, row.3))
    }

    /// Coordinates, or offsets and derivatives, of which the first `n` are used.
    fn coordinates(&mut self, from: &[Operand], n: usize, ty: Ty) -> Decoded<[Row; 3]> {
        let mut rows = [ZERO; 3];
        for (row, operand) in rows.iter_mut().zip(from).take(n) {
            *row = self.source(*operand, ty)?;
        }
        if from.len() < n {
            return Err("a coordinate is missing".into());
        }
        Ok(rows)
    }

    fn lookup(&mut self, op: Op) -> Decoded<LookupOp> {
        let operands = self.operands();
        let (resident, rest) = match *operands.as_slice() {
            [_, Operand::Also(Some(p)), ref rest @ ..] => (Some(self.pred(p)?), rest),
            [_, Operand::Also(None), ref rest @ ..] | [_, ref rest @ ..] => (None, rest),
            [] => return Err("operands".into()),
        };
        let [at, ref rest @ ..] = *rest else { return Err("operands".into()) };
        let (geometry, array, multisampled) = self.geometry()?;
        let gather = [Mod::R, Mod::G, Mod::B, Mod::A].iter().position(|&m| self.has(m)).filter(|_| op == Op::Tld4);
        let float = gather.is_some() || self.ty(1)? == Ty::F32;
        if !float && self.has(Mod::Grad) {
            return Err("derivatives at whole numbers".into());
        }
        let ty = if float { Ty::F32 } else { Ty::S32 };
        let brackets = self.brackets(at)?;
        let mut coordinates = brackets.coordinates.as_slice();
        // Sample, layer, place.
        let mut first = |wanted: bool, decoder: &mut Self| -> Decoded<Option<Row>> {
            let (true, [head, tail @ ..]) = (wanted, coordinates) else { return Ok(None) };
            coordinates = tail;
            decoder.source(*head, Ty::U32).map(Some)
        };
        let sample = first(multisampled, self)?;
        let layer = first(array, self)?;
        let n = geometry.coordinates();
        let at = self.coordinates(coordinates, n, ty)?;
        let mut rest = rest.iter().copied();
        let level = if self.has(Mod::Level) {
            let lod = rest.next().ok_or("level")?;
            LevelOp::Row(self.source(lod, ty)?)
        } else if self.has(Mod::Grad) {
            let (x, y) = (rest.next().ok_or("gradient")?, rest.next().ok_or("gradient")?);
            let (x, y) = (self.elements(x), self.elements(y));
            LevelOp::Gradient([self.coordinates(&x, n, Ty::F32)?, self.coordinates(&y, n, Ty::F32)?])
        } else {
            LevelOp::Base
        };
        let (mut offset, mut compare) = (None, None);
        for operand in rest {
            match operand {
                Operand::Vec(_) => offset = Some(self.elements(operand)),
                other => compare = Some(self.source(other, Ty::F32)?),
            }
        }
        let offset = match offset {
            Some(list) => Some(self.coordinates(&list, n.min(list.len()), Ty::S32)?),
            None => None,
        };
        let operands = self.operands();
        let results = self.elements(operands[0]);
        let dst = results.into_iter().map(|d| self.optional_target(d)).collect::<Decoded<Vec<_>>>()?;
        let results = match self.ty(0)? {
            Ty::F16 => Results::Halves,
            Ty::F16x2 => Results::Pairs,
            _ => Results::Words,
        };
        let (texture, sampler) = (brackets.handle, brackets.sampler);
        Ok(LookupOp {
            texture,
            sampler,
            geometry,
            layer,
            at,
            float,
            level,
            sample,
            offset,
            compare,
            gather,
            dst,
            results,
            resident,
        })
    }

    fn surface(&mut self, operand: Operand) -> Decoded<SurfaceAt> {
        let (geometry, array, _) = self.geometry()?;
        let brackets = self.brackets(operand)?;
        let mut coordinates = brackets.coordinates.as_slice();
        let layer = match (array, coordinates) {
            (true, [head, tail @ ..]) => {
                coordinates = tail;
                Some(self.source(*head, Ty::U32)?)
            }
            _ => None,
        };
        let at = self.coordinates(coordinates, geometry.coordinates(), Ty::S32)?;
        let clamp = match (self.has(Mod::Trap), self.has(Mod::Zero)) {
            (true, _) => Clamp::Trap,
            (_, true) => Clamp::Zero,
            _ => Clamp::Clamp,
        };
        Ok(SurfaceAt { surface: brackets.handle, geometry, layer, at, bytes: !self.has(Mod::P), clamp })
    }
}
