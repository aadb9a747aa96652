//! Texture and surface instructions (PTX ISA 9.0, 9.7.10 and 9.7.11), as ptxas 13.0.88 translates
//! them: a texture of one dimension is looked up with a second coordinate of zero, directions are
//! divided by their largest magnitude, layers are at most 65,535.

use crate::build::Lower;
use crate::reason::{Reason, not_yet, unsupported};
use crate::texture_gradient::is_of_quad;
use raddle_ir::{
    Cty, CvtRnd, Fty, Ftz, MinMode, Mufu, Op as I, Rnd, Sat, Sign, Surf, SurfCache, SurfClamp, SurfData, SurfOp,
    SurfRed, SurfTy, SurfUnit, Tex, TexCompare, TexDim, TexKind, TexMissing, TexOffset, TexSample, TexSampler, Value,
    Width,
};
use raddle_ptx::{InstId, Mod, Op, Operand, Ty};

/// Dimensions, whether they are an array, and whether there are samples.
const DIMENSIONS: &[(Mod, TexDim, bool)] = &[
    (Mod::N1d, TexDim::D1, false),
    (Mod::N2d, TexDim::D2, false),
    (Mod::N3d, TexDim::D3, false),
    (Mod::A1d, TexDim::A1, false),
    (Mod::A2d, TexDim::A2, false),
    (Mod::Cube, TexDim::Cube, false),
    (Mod::Acube, TexDim::ACube, false),
    (Mod::N2dms, TexDim::D2, true),
    (Mod::A2dms, TexDim::A2, true),
];

/// The level of detail of a lookup without one: below every bias, hence level 0.
const BASE: f32 = -32.0;
/// The largest layer.
const MOST_LAYERS: u64 = 0xffff;

/// The parts of `[handle, sampler, {coordinates}]`.
struct Brackets {
    handles: Vec<Value>,
    /// The same as they are written.
    given: Vec<Operand>,
    coordinates: Vec<Operand>,
}

impl Lower<'_> {
    /// Lowers an instruction of this family.
    pub(crate) fn texture(&mut self, inst: InstId) -> Result<(), Reason> {
        match self.input.body.op(inst) {
            Op::Tex | Op::Tld4 => self.lookup(inst),
            Op::Txq | Op::Suq => self.texture_query(inst),
            Op::Istypep => self.is_type(inst),
            Op::Suld => self.surface_load(inst),
            Op::Sust => self.surface_store(inst),
            _ => self.surface_reduction(inst),
        }
    }

    fn brackets(&mut self, operand: Option<Operand>) -> Result<Brackets, Reason> {
        let Some(Operand::Bracket(list)) = operand else { return unsupported("this operand") };
        let parts = self.input.body.list(list);
        let Some((&last, handles)) = parts.split_last() else { return unsupported("this operand") };
        let given = handles.to_vec();
        let handles = handles.iter().map(|&h| self.handle(h)).collect::<Result<Vec<_>, _>>()?;
        Ok(Brackets { handles, given, coordinates: self.parts(Some(last)).to_vec() })
    }

    fn dimensions(&self, inst: InstId) -> Result<(TexDim, bool), Reason> {
        let found = DIMENSIONS.iter().find(|row| self.input.body.has(inst, row.0));
        found.map(|row| (row.1, row.2)).ok_or_else(|| Reason("these dimensions".into()))
    }

    fn layer(&mut self, operand: Operand) -> Result<Value, Reason> {
        let layer = self.value(operand, Ty::B32)?;
        let most = self.constant(MOST_LAYERS, Width::B32);
        Ok(self.emit(I::Min(Sign::U), &[layer, most], Width::B32))
    }

    /// Divides a direction by its largest magnitude.
    fn direction(&mut self, at: &mut [Value]) {
        let magnitudes: Vec<Value> =
            at.iter().map(|&x| self.emit(I::Fabs(Fty::F32, Ftz::No), &[x], Width::B32)).collect();
        let max = |l: &mut Self, a, b| l.emit(I::Fmax(Fty::F32, Ftz::No, MinMode::Num), &[a, b], Width::B32);
        let two = max(self, magnitudes[0], magnitudes[1]);
        let largest = max(self, magnitudes[2], two);
        let reciprocal = self.emit(I::Mufu(Mufu::Rcp), &[largest], Width::B32);
        for x in at {
            *x = self.emit(I::Fmul(Fty::F32, Rnd::Rn, Ftz::No, Sat::No), &[*x, reciprocal], Width::B32);
        }
    }

    /// Joins offsets of `bits` bits each, `distance` bits apart.
    fn offsets(&mut self, list: &[Operand], bits: u64, distance: u64) -> Result<Value, Reason> {
        let mask = self.constant((1 << bits) - 1, Width::B32);
        let mut joined = None;
        for (n, &operand) in list.iter().enumerate() {
            let offset = self.value(operand, Ty::B32)?;
            let low = self.emit(I::And, &[offset, mask], Width::B32);
            joined = Some(match joined {
                None => low,
                Some(before) => {
                    let by = self.constant(distance * n as u64, Width::B32);
                    let shifted = self.emit(I::Shl, &[low, by], Width::B32);
                    self.emit(I::Or, &[before, shifted], Width::B32)
                }
            });
        }
        joined.ok_or_else(|| Reason("a missing operand".into()))
    }

    /// Converts integers of a lookup with a sampler of its own: they are coordinates as others, but
    /// for a texture of one dimension. Returns whether it did.
    fn by_float(&mut self, handles: &[Value], is_other: bool, dim: TexDim, place: &mut [Value]) -> bool {
        if is_other || handles.len() != 2 || dim == TexDim::D1 {
            return false;
        }
        for x in place {
            *x = self.emit(I::Cvt(Cty::F32, Cty::S32, CvtRnd::Rn, Ftz::No, Sat::No), &[*x], Width::B32);
        }
        true
    }

    fn lookup(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let operands = body.operands(inst);
        let (resident, rest) = match *operands.as_slice() {
            [_, Operand::Also(p), ref rest @ ..] => (p, rest),
            [_, ref rest @ ..] => (None, rest),
            [] => return unsupported("a missing operand"),
        };
        let Some((&at, rest)) = rest.split_first() else { return unsupported("a missing operand") };
        let (dim, multisampled) = self.dimensions(inst)?;
        let gather = [Mod::R, Mod::G, Mod::B, Mod::A].iter().position(|&m| body.has(inst, m));
        let gather = gather.filter(|_| body.op(inst) == Op::Tld4);
        let floats = gather.is_some() || body.types(inst).get(1) == Some(&Ty::F32);
        if !floats && body.has(inst, Mod::Grad) {
            return unsupported("derivatives at whole numbers: ptxas looks up at the numbers with their bits");
        }
        let brackets = self.brackets(Some(at))?;
        let of_quad = body.has(inst, Mod::Grad) && is_of_quad(dim, rest);
        if of_quad && !self.quads {
            return self.gradient_of_driver(inst, (dim, resident), &brackets.given, &brackets.coordinates, rest);
        }
        let mut coordinates = brackets.coordinates.iter().copied();
        let sample = match multisampled {
            true => coordinates.next().map(|operand| self.value(operand, Ty::B32)).transpose()?,
            false => None,
        };
        let (count, array) = dim.coordinates();
        let layer = match array {
            true => coordinates.next().map(|operand| self.layer(operand)).transpose()?,
            false => None,
        };
        let mut place = Vec::new();
        for operand in coordinates.take(count) {
            place.push(self.value(operand, if floats { Ty::F32 } else { Ty::B32 })?);
        }
        if place.len() < count {
            return unsupported("a missing coordinate");
        }
        if matches!(dim, TexDim::Cube | TexDim::ACube) && !of_quad {
            self.direction(&mut place);
        }
        let mut rest = rest.iter().copied();
        let mut derivatives = Vec::new();
        let mut level = None;
        if body.has(inst, Mod::Level) {
            let Some(operand) = rest.next() else { return unsupported("a missing level") };
            level = Some(self.value(operand, if floats { Ty::F32 } else { Ty::B32 })?);
        } else if body.has(inst, Mod::Grad) {
            let (Some(x), Some(y)) = (rest.next(), rest.next()) else { return unsupported("a missing gradient") };
            let (x, y) = (self.parts(Some(x)), self.parts(Some(y)));
            for pair in x.iter().zip(&y).take(count) {
                derivatives.push(self.value(*pair.0, Ty::F32)?);
                derivatives.push(self.value(*pair.1, Ty::F32)?);
            }
        }
        let by_float = self.by_float(&brackets.handles, floats || level.is_some() || multisampled, dim, &mut place);
        let floats = floats || by_float;
        let (mut offset, mut compare) = (None, None);
        for operand in rest {
            match operand {
                Operand::Vec(_) => {
                    let list = self.parts(Some(operand));
                    let (bits, distance) = if gather.is_some() { (6, 8) } else { (4, 4) };
                    offset = Some(self.offsets(&list[..count.min(list.len())], bits, distance)?);
                }
                other => compare = Some(self.value(other, Ty::F32)?),
            }
        }
        let kind = match (gather, floats) {
            (Some(n), _) => [TexKind::GatherR, TexKind::GatherG, TexKind::GatherB, TexKind::GatherA][n],
            _ if of_quad => TexKind::Quad,
            _ if !derivatives.is_empty() => TexKind::Gradient,
            (_, true) => TexKind::Sample,
            (_, false) if level.is_some() => TexKind::Fetch,
            _ => TexKind::FetchBase,
        };
        if kind == TexKind::Sample && level.is_none() {
            level = Some(self.constant(BASE.to_bits().into(), Width::B32));
        }
        let mut dim = dim;
        if dim == TexDim::D1 && floats {
            // The machine takes a second coordinate; its derivatives are zero.
            dim = TexDim::D2;
            let zero = self.constant(0, Width::B32);
            place.push(zero);
            if !derivatives.is_empty() {
                derivatives.extend([zero; 2]);
            }
        }
        let mut args = brackets.handles;
        let sampler = if args.len() == 2 { TexSampler::Separate } else { TexSampler::Own };
        if kind == TexKind::Gradient {
            args.extend(place);
            let high = offset.map(|offset| {
                let by = self.constant(16, Width::B32);
                self.emit(I::Shl, &[offset, by], Width::B32)
            });
            args.extend(match (layer, high) {
                (Some(layer), Some(high)) => Some(self.emit(I::Or, &[layer, high], Width::B32)),
                (one, other) => one.or(other),
            });
            args.extend(derivatives);
        } else {
            args.extend(layer);
            args.extend(place);
            args.extend(derivatives);
            args.extend(level.into_iter().chain(offset).chain(sample).chain(compare));
        }
        let tex = Tex {
            kind,
            dim,
            sampler,
            offset: if offset.is_some() { TexOffset::Yes } else { TexOffset::No },
            sample: if sample.is_some() { TexSample::Yes } else { TexSample::No },
            compare: if compare.is_some() { TexCompare::Yes } else { TexCompare::No },
            missing: if resident.is_some() { TexMissing::Yes } else { TexMissing::No },
            mask: 15,
        };
        self.channels(inst, tex, &args, resident)
    }

    /// Emits a lookup and writes its results.
    fn channels(
        &mut self,
        inst: InstId,
        tex: Tex,
        args: &[Value],
        resident: Option<raddle_ptx::Reg>,
    ) -> Result<(), Reason> {
        let ty = self.input.body.types(inst).first().copied();
        let parts = self.parts(self.input.body.operand(inst, 0));
        let each = if ty == Some(Ty::F16x2) { 2 } else { 1 };
        let used = |channel: usize| parts.get(channel / each).is_some_and(|part| *part != Operand::Sink);
        let mut mask = (0..4).filter(|&n| used(n)).fold(0u8, |mask, n| mask | 1 << n);
        if mask == 0 {
            // The predicate alone.
            mask = 1;
        }
        let mut widths = vec![Width::B32; mask.count_ones() as usize];
        widths.extend(resident.map(|_| Width::P));
        let results = self.emit_many(I::Tex(Tex { mask, ..tex }), args, &widths);
        let mut channels = [None; 4];
        let wanted = (0..4).filter(|n| mask >> n & 1 != 0);
        for (n, &value) in wanted.zip(&results) {
            channels[n] = Some(value);
        }
        for (n, &part) in parts.iter().enumerate() {
            let value = match (ty, &channels[each * n..][..each]) {
                (Some(Ty::F16x2), &[Some(low), Some(high)]) => {
                    self.emit(I::CvtPack(Cty::F16x2, CvtRnd::Rn, Sat::No), &[high, low], Width::B32)
                }
                (Some(Ty::F16), &[Some(value)]) => {
                    self.emit(I::Cvt(Cty::F16, Cty::F32, CvtRnd::Rn, Ftz::No, Sat::No), &[value], Width::B16)
                }
                (_, &[Some(value)]) => value,
                _ => continue,
            };
            if part != Operand::Sink {
                self.set_operand(Some(part), value)?;
            }
        }
        if let (Some(p), Some(&missing)) = (resident, results.last()) {
            let there = self.emit(I::Not, &[missing], Width::P);
            self.set_operand(Some(Operand::Reg(p)), there)?;
        }
        Ok(())
    }

    /// The operands of a surface access before its data, and what they are.
    fn surface(&mut self, inst: InstId, operand: usize) -> Result<(TexDim, SurfClamp, Vec<Value>), Reason> {
        let body = self.input.body;
        let (dim, _) = self.dimensions(inst)?;
        let clamp = match (body.has(inst, Mod::Trap), body.has(inst, Mod::Zero)) {
            (true, _) => SurfClamp::Trap,
            (_, true) => SurfClamp::Zero,
            _ => SurfClamp::Clamp,
        };
        let brackets = self.brackets(body.operand(inst, operand))?;
        let (count, array) = dim.coordinates();
        let mut coordinates = brackets.coordinates.as_slice();
        let layer = match (array, coordinates) {
            (true, [head, tail @ ..]) => {
                coordinates = tail;
                Some(self.value(*head, Ty::B32)?)
            }
            _ => None,
        };
        let mut args = brackets.handles;
        args.truncate(1);
        for &operand in coordinates.iter().take(count) {
            args.push(self.value(operand, Ty::B32)?);
        }
        if args.len() != 1 + count {
            return unsupported("a missing coordinate");
        }
        args.extend(layer);
        Ok((dim, clamp, args))
    }

    fn surface_cache(&self, inst: InstId) -> SurfCache {
        let has = |m| self.input.body.has(inst, m);
        if has(Mod::Cg) || has(Mod::Cv) || has(Mod::Wt) {
            SurfCache::Far
        } else if has(Mod::Cs) {
            SurfCache::Stream
        } else {
            SurfCache::Near
        }
    }

    fn surface_load(&mut self, inst: InstId) -> Result<(), Reason> {
        let bytes = self.input.body.types(inst).first().map_or(4, |ty| ty.bytes()) as usize;
        let parts = self.parts(self.input.body.operand(inst, 0));
        let (dim, clamp, args) = self.surface(inst, 1)?;
        let data = data_of(bytes * parts.len())?;
        let surf = Surf { dim, clamp, data, cache: self.surface_cache(inst) };
        let words = self.emit_many(I::SurfLoad(surf), &args, &vec![Width::B32; data.words()]);
        for (n, &part) in parts.iter().enumerate() {
            if part == Operand::Sink {
                continue;
            }
            let value = match bytes {
                8 => self.emit(I::Pack, &words[2 * n..2 * n + 2], Width::B64),
                4 => words[n],
                _ => {
                    let (word, at) = (words[bytes * n / 4], 8 * (bytes * n % 4) as u64);
                    let by = self.constant(at, Width::B32);
                    let low = self.emit(I::Shr(Sign::U), &[word, by], Width::B32);
                    let mask = self.constant((1 << (8 * bytes)) - 1, Width::B32);
                    let value = self.emit(I::And, &[low, mask], Width::B32);
                    self.resize(value, Width::B16, Sign::U)
                }
            };
            self.set_resized(Some(part), value, Sign::U)?;
        }
        Ok(())
    }

    /// The words of elements of this many bytes.
    fn words_of(&mut self, parts: &[Operand], bytes: usize) -> Result<Vec<Value>, Reason> {
        let mut words: Vec<Value> = Vec::new();
        for (n, &part) in parts.iter().enumerate() {
            match bytes {
                8 => {
                    let wide = self.value(part, Ty::B64)?;
                    words.extend(self.emit_many(I::Unpack, &[wide], &[Width::B32; 2]));
                }
                4 => words.push(self.value(part, Ty::B32)?),
                _ => {
                    let value = self.value(part, Ty::B16)?;
                    let value = self.resize(value, Width::B32, Sign::U);
                    let mask = self.constant((1 << (8 * bytes)) - 1, Width::B32);
                    let low = self.emit(I::And, &[value, mask], Width::B32);
                    let at = bytes * n % 4;
                    if at == 0 {
                        words.push(low);
                        continue;
                    }
                    let by = self.constant(8 * at as u64, Width::B32);
                    let shifted = self.emit(I::Shl, &[low, by], Width::B32);
                    if let Some(last) = words.last_mut() {
                        *last = self.emit(I::Or, &[*last, shifted], Width::B32);
                    }
                }
            }
        }
        Ok(words)
    }

    fn surface_store(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let bytes = body.types(inst).first().map_or(4, |ty| ty.bytes()) as usize;
        let parts = self.parts(body.operand(inst, 1));
        let (dim, clamp, mut args) = self.surface(inst, 0)?;
        let data = match (body.has(inst, Mod::P), parts.len()) {
            (true, 1) => SurfData::C1,
            (true, 2) => SurfData::C2,
            (true, 4) => SurfData::C4,
            (true, _) => return unsupported("this number of channels"),
            (false, count) => data_of(bytes * count)?,
        };
        args.extend(self.words_of(&parts, bytes)?);
        self.emit_many(I::SurfStore(Surf { dim, clamp, data, cache: self.surface_cache(inst) }), &args, &[]);
        Ok(())
    }

    fn surface_reduction(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ops = [
            (Mod::Add, SurfOp::Add),
            (Mod::Min, SurfOp::Min),
            (Mod::Max, SurfOp::Max),
            (Mod::And, SurfOp::And),
            (Mod::Or, SurfOp::Or),
        ];
        let Some(op) = ops.iter().find(|row| body.has(inst, row.0)).map(|row| row.1) else { return not_yet() };
        let ty = body.types(inst).first().copied().unwrap_or(Ty::U32);
        let texels = body.has(inst, Mod::P);
        let ordered = matches!(op, SurfOp::Min | SurfOp::Max);
        let kind = match (ty, texels && ordered) {
            (Ty::B32, true) => SurfTy::Own32,
            (Ty::B64, true) => SurfTy::Own64,
            (Ty::S32, _) if ordered => SurfTy::S32,
            (Ty::S64, _) if ordered => SurfTy::S64,
            (ty, _) if ty.bits() == 64 => SurfTy::U64,
            _ => SurfTy::U32,
        };
        let unit = if texels { SurfUnit::Texels } else { SurfUnit::Bytes };
        let (dim, clamp, mut args) = self.surface(inst, 0)?;
        let Some(value) = body.operand(inst, 1) else { return unsupported("a missing operand") };
        args.extend(self.words_of(&[value], ty.bytes() as usize)?);
        self.emit_many(I::SurfRed(SurfRed { dim, clamp, unit, op, ty: kind }), &args, &[]);
        Ok(())
    }
}

/// The access of this many bytes.
fn data_of(bytes: usize) -> Result<SurfData, Reason> {
    Ok(match bytes {
        1 => SurfData::B8,
        2 => SurfData::B16,
        4 => SurfData::B32,
        8 => SurfData::B64,
        16 => SurfData::B128,
        _ => return unsupported(format!("an access of {bytes} bytes")),
    })
}
