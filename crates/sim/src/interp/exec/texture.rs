//! Texture lookups and surface accesses.

use super::super::code::Row;
use super::super::cta::Cta;
use super::super::texture::{LevelOp, LookupOp, Results, SurfaceAt, TextureOp};
use super::super::warp::lanes;
use super::access::{Access, Accessor, Site, settle};
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;
use crate::float::{F16, F32, Mode, to_float};
use crate::mem::{AllocId, Bound, Space};
use crate::texture::{Channel, Color, Failed, Found, Geometry, Level, Lookup, Place, Position, Texture};
use crate::texture::{between, direction, moved};

fn refuse<T>(lane: usize, text: String) -> Step<T> {
    fault(lane, FailureKind::Texture(text))
}

impl Machine<'_, '_> {
    /// Runs an instruction of this family in the lanes of `mask`.
    pub(super) fn texture(&mut self, cta: &mut Cta, w: usize, group: &Group, op: &TextureOp, mask: u32) -> Step<()> {
        self.now += 1;
        if let TextureOp::IsType { dst, handle, kind } = op {
            let frame = &mut cta.warps[w].frames[group.frame];
            let (mut holds, mut undef) = (0, 0);
            for lane in lanes(mask) {
                holds |= u32::from(frame.get(*handle, lane) & kind.bit() != 0) << lane;
                undef |= u32::from(frame.get_undef(*handle, lane) & kind.bit() != 0) << lane;
            }
            frame.set_pred(dst.0, mask, holds, undef);
            return Ok(());
        }
        if matches!(op, TextureOp::Store { .. } | TextureOp::StoreTexel { .. } | TextureOp::Reduce { .. }) {
            cta.effects += 1;
        }
        for lane in lanes(mask) {
            let by = Accessor::new(w, lane, group);
            match op {
                TextureOp::Lookup(op) => self.lookup(cta, by, op)?,
                TextureOp::Query { dst, handle, query, level } => {
                    let level = level.map_or(Ok(0), |row| self.known(cta, by, row, "the level"))?;
                    let bound = self.bound(cta, by, *handle)?;
                    let word = bound.texture.query(*query, level as u32);
                    cta.warps[w].frames[group.frame].set(*dst, lane, word.into(), 0);
                }
                TextureOp::Load { at, dst, bytes } => self.load_surface(cta, by, at, (dst, *bytes))?,
                TextureOp::Store { at, src, bytes } => {
                    let size = src.len() * bytes;
                    let Some((access, _)) = self.surface(cta, by, at, size, "write")? else { continue };
                    let (mut value, mut undef) = (0u128, 0u128);
                    for (n, &row) in src.iter().enumerate() {
                        let frame = &cta.warps[w].frames[group.frame];
                        let mask = u128::MAX >> (128 - 8 * bytes);
                        value |= (u128::from(frame.get(row, lane)) & mask) << (8 * bytes * n);
                        undef |= (u128::from(frame.get_undef(row, lane)) & mask) << (8 * bytes * n);
                    }
                    let (segment, offset) = self.segment(cta, w, lane, access.site);
                    segment.store(offset, size, value, undef);
                }
                TextureOp::StoreTexel { at, src } => self.store_texel(cta, by, at, src)?,
                TextureOp::Reduce { at, op, src, bytes } => {
                    let Some((access, bound)) = self.surface(cta, by, at, *bytes, "atomic")? else { continue };
                    let signed = matches!(bound.texture.shape.format.channel, Channel::Signed(_));
                    let frame = &cta.warps[w].frames[group.frame];
                    let all = u64::MAX >> (64 - 8 * bytes);
                    let (b, b_undef) = (frame.get(*src, lane) & all, frame.get_undef(*src, lane) & all);
                    let mufu = self.mufu;
                    let (segment, offset) = self.segment(cta, w, lane, access.site);
                    let (old, old_undef) = segment.load(offset, *bytes);
                    let new = op[usize::from(signed)].combine(Space::Global, old, b.into(), mufu).unwrap_or(old);
                    let spoiled = if b_undef == 0 && old_undef == 0 { 0 } else { u128::from(all) };
                    segment.store(offset, *bytes, new, spoiled);
                }
                TextureOp::IsType { .. } => {}
            }
        }
        let frame = &mut cta.warps[w].frames[group.frame];
        match op {
            TextureOp::Lookup(op) => op.dst.iter().flatten().for_each(|&dst| settle(frame, dst)),
            TextureOp::Query { dst, .. } => settle(frame, *dst),
            TextureOp::Load { dst, .. } => dst.iter().flatten().for_each(|&dst| settle(frame, dst)),
            _ => {}
        }
        Ok(())
    }

    /// A value that decides what is accessed.
    fn known(&self, cta: &Cta, by: Accessor, row: Row, what: &'static str) -> Step<u64> {
        let frame = &cta.warps[by.warp].frames[by.frame];
        match frame.get_undef(row, by.lane) as u32 {
            0 => Ok(frame.get(row, by.lane)),
            _ => fault(by.lane, FailureKind::UndefinedOperand(what)),
        }
    }

    fn floats(&self, cta: &Cta, by: Accessor, rows: [Row; 3]) -> Step<[f32; 3]> {
        let [x, y, z] = rows.map(|row| self.known(cta, by, row, "a coordinate"));
        Ok([x?, y?, z?].map(|word| f32::from_bits(word as u32)))
    }

    fn integers(&self, cta: &Cta, by: Accessor, rows: [Row; 3]) -> Step<[i32; 3]> {
        let [x, y, z] = rows.map(|row| self.known(cta, by, row, "a coordinate"));
        Ok([x?, y?, z?].map(|word| word as i32))
    }

    /// The texture or surface of a handle.
    fn bound(&self, cta: &Cta, by: Accessor, handle: Row) -> Step<Bound> {
        let word = self.known(cta, by, handle, "a handle")?;
        let found = self.mem.textures.image(word as u32).cloned();
        found.map_or_else(|| refuse(by.lane, format!("{word:#x} is the handle of no texture of the launch")), Ok)
    }

    fn lookup(&mut self, cta: &mut Cta, by: Accessor, op: &LookupOp) -> Step<()> {
        let bound = self.bound(cta, by, op.texture)?;
        let own = bound.texture.sampler;
        let sampler = match op.sampler {
            None => own,
            Some(row) => {
                let word = self.known(cta, by, row, "a handle")?;
                let found = self.mem.textures.sampler(word as u32).map(|bound| bound.texture.sampler);
                found.map_or_else(|| refuse(by.lane, format!("{word:#x} is the handle of no sampler")), Ok)?
            }
        };
        // With a sampler of its own, integers are coordinates as others (ptxas 13.0.88 output).
        let texels = op.geometry == Geometry::D1 && op.layer.is_none() || op.sample.is_some();
        let by_float = !op.float && op.sampler.is_some() && matches!(op.level, LevelOp::Base) && !texels;
        let at = match op.float {
            true => {
                let at = self.floats(cta, by, op.at)?;
                let cube = op.geometry == Geometry::Cube;
                Position::Float(if cube { direction(at, self.mufu) } else { at })
            }
            false if by_float => Position::Float(self.integers(cta, by, op.at)?.map(|n| n as f32)),
            false => Position::Integer(self.integers(cta, by, op.at)?),
        };
        let level = match (op.level, op.float || by_float) {
            (LevelOp::Base, true) => Level::Base,
            (LevelOp::Base, false) => Level::Number(0),
            (LevelOp::Row(row), true) => Level::Lod(f32::from_bits(self.known(cta, by, row, "the level")? as u32)),
            (LevelOp::Row(row), false) => Level::Number(self.known(cta, by, row, "the level")? as i32),
            (LevelOp::Gradient([x, y]), _) => {
                let gradient = [self.floats(cta, by, x)?, self.floats(cta, by, y)?];
                let cube = op.geometry == Geometry::Cube;
                let of_quad = op.geometry.coordinates() == 3 || op.compare.is_some();
                let places = moved(self.floats(cta, by, op.at)?, &gradient);
                let places = if cube { places.map(|at| direction(at, self.mufu)) } else { places };
                Level::Gradient(if of_quad { between(places) } else { gradient })
            }
        };
        let word = |row: Option<Row>| row.map(|row| self.known(cta, by, row, "a layer or sample")).transpose();
        let (layer, sample) = (word(op.layer)?.map(|w| w as u32), word(op.sample)?.map(|w| w as u32));
        let compare = op.compare.map(|row| self.known(cta, by, row, "the reference")).transpose()?;
        let mut offset = op.offset.map_or(Ok([0; 3]), |rows| self.integers(cta, by, rows))?;
        // Offsets are of 4 bits, those of gathered texels of 6 (PTX ISA 9.0, 9.7.10.3).
        let bits = if op.gather.is_some() { 6 } else { 4 };
        offset = offset.map(|n| n << (32 - bits) >> (32 - bits));
        let lookup = Lookup {
            geometry: op.geometry,
            layer,
            at,
            level,
            sample,
            offset,
            compare: compare.map(|word| f32::from_bits(word as u32)),
            gather: op.gather,
        };
        let color = match bound.texels {
            Some(texels) => {
                self.color(cta, by, (&bound.texture, texels), |texture, read| texture.lookup(&lookup, &sampler, read))?
            }
            None => return refuse(by.lane, format!("`{}` is a sampler alone", bound.texture.name)),
        };
        let frame = &mut cta.warps[by.warp].frames[by.frame];
        let half = |n: usize| {
            let (value, undef) = color[n];
            let value = to_float(&F32, &F16, value.into(), Mode::RN, false);
            (value & 0xffff, if undef == 0 { 0 } else { 0xffff })
        };
        for (n, dst) in op.dst.iter().enumerate() {
            let Some(dst) = *dst else { continue };
            let (word, undef) = match op.results {
                Results::Words => (color[n].0.into(), color[n].1.into()),
                Results::Halves => half(n),
                Results::Pairs => {
                    let ((low, low_undef), (high, high_undef)) = (half(2 * n), half(2 * n + 1));
                    (high << 16 | low, high_undef << 16 | low_undef)
                }
            };
            frame.set(dst, by.lane, word, undef);
        }
        if let Some(resident) = op.resident {
            // All memory of textures exists here.
            frame.set_pred(resident.0, 1 << by.lane, u32::MAX, 0);
        }
        Ok(())
    }

    /// Runs a lookup that reads texels, and records the reads.
    fn color(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        (texture, texels): (&Texture, AllocId),
        run: impl FnOnce(
            &Texture,
            crate::texture::Read<'_, super::LaneFailure>,
        ) -> Result<Color, Failed<super::LaneFailure>>,
    ) -> Step<Color> {
        let base = self.mem.base(texels);
        let mut read = |offset: usize, size: usize| {
            let site = Site::Global(texels, offset);
            let access = Access { site, space: Space::Global, addr: base + offset as u64, size };
            self.watch(cta, by, access, false, "read")?;
            self.outcome.stats.global_read += size as u64;
            Ok(self.mem.alloc(texels).seg.load(offset, size))
        };
        match run(texture, &mut read) {
            Ok(color) => Ok(color),
            Err(Failed::Unfit(text)) => refuse(by.lane, text),
            Err(Failed::Read(failure)) => Err(failure),
        }
    }

    /// Finds the place of a surface access of `size` bytes; `None` if it goes nowhere.
    fn surface(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        at: &SurfaceAt,
        size: usize,
        kind: &'static str,
    ) -> Step<Option<(Access, Bound)>> {
        let bound = self.bound(cta, by, at.surface)?;
        let layer = at.layer.map(|row| self.known(cta, by, row, "a layer")).transpose()?;
        let place = Place {
            geometry: at.geometry,
            at: self.integers(cta, by, at.at)?,
            layer: layer.map(|word| word as u32),
            bytes: at.bytes,
            size: size as u32,
            clamp: at.clamp,
        };
        let Some(texels) = bound.texels else {
            return refuse(by.lane, format!("`{}` is a sampler alone", bound.texture.name));
        };
        let offset = match bound.texture.place(&place) {
            Ok(Found::At(offset)) => offset,
            Ok(Found::Nowhere) => return Ok(None),
            Ok(Found::Trap(text)) | Err(text) => return refuse(by.lane, text),
        };
        let addr = self.mem.base(texels) + offset as u64;
        let access = Access { site: Site::Global(texels, offset), space: Space::Global, addr, size };
        if kind != "read" {
            self.writable(by.lane, access)?;
            self.outcome.stats.global_written += size as u64;
        }
        self.watch(cta, by, access, kind == "atomic", kind)?;
        Ok(Some((access, bound)))
    }

    fn load_surface(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        at: &SurfaceAt,
        (dst, bytes): (&[Option<Row>], usize),
    ) -> Step<()> {
        let found = self.surface(cta, by, at, dst.len() * bytes, "read")?;
        let (value, undef) = match found {
            Some((access, _)) => {
                self.outcome.stats.global_read += access.size as u64;
                let (segment, offset) = self.segment(cta, by.warp, by.lane, access.site);
                segment.load(offset, access.size)
            }
            None => (0, 0),
        };
        let mask = u64::MAX >> (64 - 8 * bytes);
        for (n, dst) in dst.iter().enumerate() {
            let Some(dst) = *dst else { continue };
            let part = |word: u128| (word >> (8 * bytes * n)) as u64 & mask;
            cta.warps[by.warp].frames[by.frame].set(dst, by.lane, part(value), part(undef));
        }
        Ok(())
    }

    fn store_texel(&mut self, cta: &mut Cta, by: Accessor, at: &SurfaceAt, src: &[Row]) -> Step<()> {
        let bound = self.bound(cta, by, at.surface)?;
        let format = bound.texture.shape.format;
        let Some((access, _)) = self.surface(cta, by, at, format.bytes(), "write")? else { return Ok(()) };
        let bits = format.channel.bits();
        // Channels without a source are unpredictable (PTX ISA 9.0, `sust`).
        let (mut texel, mut undef) = (0u128, 0u128);
        let mask = u32::MAX >> (32 - bits);
        for n in 0..format.channels as usize {
            let frame = &cta.warps[by.warp].frames[by.frame];
            let (value, unknown) = match src.get(n) {
                Some(&row) => {
                    let unknown = if frame.get_undef(row, by.lane) as u32 == 0 { 0 } else { mask };
                    (format.store(frame.get(row, by.lane) as u32, n), unknown)
                }
                None => (0, mask),
            };
            texel |= u128::from(value) << (bits * n as u32);
            undef |= u128::from(unknown) << (bits * n as u32);
        }
        let (segment, offset) = self.segment(cta, by.warp, by.lane, access.site);
        segment.store(offset, format.bytes(), texel, undef);
        Ok(())
    }
}
