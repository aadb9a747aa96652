//! Runs texture lookups and surface accesses.

use super::block::{Block, Exec, Global, LaneFailure};
use super::exec_atom::update;
use super::exec_mem::{Target, lanes};
use super::texture::{Action, HandleAt, LevelAt, LookupOp, SurfaceOp, TextureOp};
use super::uop::{Kind, Uop};
use super::warp::Warp;
use crate::failure::FailureKind;
use crate::float::{F16, F32, Mode, Rounding, to_float};
use crate::mem::{AllocId, Bound, Textures};
use crate::texture::{
    Channel, Color, Failed, Found, Geometry, Level, Lookup, Place, Position, Query, Sampler, Texture, between,
};

const ZERO: u8 = 255;

pub(super) fn refuse<T>(lane: usize, text: String) -> Exec<T> {
    Err(LaneFailure::new(lane, FailureKind::Texture(text)))
}

impl Warp {
    /// Runs an instruction of this family in the lanes of `m`.
    pub fn exec_texture(&mut self, u: &Uop, m: u32, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let Kind::Texture(op) = &u.kind else { return Ok(()) };
        for lane in lanes(m) {
            match op {
                TextureOp::Lookup(op) => match self.lookup(u, (lane, m), op, blk, g) {
                    Err(failure) if op.level == LevelAt::Quad && self.is_idle(lane, &failure.kind) => {
                        self.lose_results(u, lane, op);
                    }
                    done => done?,
                },
                TextureOp::Extents { handle, level, mask } => {
                    let (bound, _) = self.texture(*handle, lane, g)?;
                    let level = self.known(*level, lane, "the level")?;
                    let wanted = (0..3).filter(|n| mask >> n & 1 != 0);
                    let words: Vec<(u32, u32)> =
                        wanted.map(|axis| (bound.texture.query(Query::Extent(axis), level), 0)).collect();
                    self.put_results(u, lane, &words);
                }
                TextureOp::Surface(op) => self.surface(u, lane, op, blk, g)?,
            }
        }
        Ok(())
    }

    /// The contents of a register that decides what is accessed.
    fn known(&self, register: u8, lane: usize, what: &'static str) -> Exec<u32> {
        if register == ZERO {
            return Ok(0);
        }
        match self.reg_undef(register, lane) {
            0 => Ok(self.reg(register)[lane]),
            _ => Err(LaneFailure::new(lane, FailureKind::UndefinedOperand(what))),
        }
    }

    /// A uniform register with a handle.
    fn handle_register(&self, n: usize, lane: usize) -> Exec<u32> {
        match self.ureg_undef[n] {
            _ if n == 63 => Ok(0),
            0 => Ok(self.uregs[n]),
            _ => Err(LaneFailure::new(lane, FailureKind::UndefinedOperand("a handle"))),
        }
    }

    /// The words of a handle: texture, sampler (0 if it is the texture's own).
    fn words(&self, at: HandleAt, lane: usize, g: &Global<'_>) -> Exec<(u32, u32)> {
        Ok(match at {
            HandleAt::Register(register) => Textures::split(self.known(register, lane, "a handle")?),
            HandleAt::Uniform(n) => {
                let texture = self.handle_register(n.into(), lane)?;
                // The sampler follows; the texture's bits may repeat it, and the highest says that it
                // is the texture's own.
                (Textures::split(texture).0, self.handle_register((usize::from(n) + 1).min(63), lane)? & 0x7ff)
            }
            HandleAt::Bank(bank, offset) => {
                let bytes = g.banks.get(usize::from(bank)).map_or(&[][..], |bytes| bytes);
                let word = bytes.get(usize::from(offset)..).and_then(|rest| rest.first_chunk::<4>());
                let Some(word) = word else {
                    let (bank, offset, size) = (bank.into(), offset.into(), bytes.len() as u32);
                    return Err(LaneFailure::new(lane, FailureKind::DriverConstants { bank, offset, size }));
                };
                Textures::split(u32::from_le_bytes(*word))
            }
        })
    }

    fn texture<'a>(&self, at: HandleAt, lane: usize, g: &'a Global<'_>) -> Exec<(&'a Bound, Sampler)> {
        let words = self.words(at, lane, g)?;
        Self::of_words(words, lane, g)
    }

    /// The texture and the sampler of the words of a handle; without the second, the texture's own.
    pub(super) fn of_words<'a>(
        (texture, sampler): (u32, u32),
        lane: usize,
        g: &'a Global<'_>,
    ) -> Exec<(&'a Bound, Sampler)> {
        let Some(bound) = g.mem.textures.image(texture) else {
            return refuse(lane, format!("{texture:#x} is the handle of no texture of the launch"));
        };
        if sampler == 0 {
            return Ok((bound, bound.texture.sampler));
        }
        match g.mem.textures.sampler(sampler) {
            Some(found) => Ok((bound, found.texture.sampler)),
            None => refuse(lane, format!("{sampler:#x} is the handle of no sampler")),
        }
    }

    /// Whether a lookup of a quad fails for a lane that only runs along, or for lack of the
    /// coordinates of one that does: code that uses the result has something undefined then.
    fn is_idle(&self, lane: usize, kind: &FailureKind) -> bool {
        match kind {
            FailureKind::UndefinedOperand(_) => self.lent() & Warp::quad_of(lane) != 0,
            FailureKind::Texture(_) => self.lent() >> lane & 1 != 0,
            _ => false,
        }
    }

    /// Makes the results of a lookup undefined in one lane.
    fn lose_results(&mut self, u: &Uop, lane: usize, op: &LookupOp) {
        self.put_results(u, lane, &[(0, u32::MAX); 4][..op.mask.count_ones() as usize]);
        self.put_pred(u.pd, 1 << lane, 0, 1 << lane);
    }

    /// The coordinates of a lane, as far as there are any.
    fn place(&self, op: &LookupOp, used: usize, lane: usize) -> Exec<[u32; 3]> {
        let mut at = [0; 3];
        for (to, &from) in at.iter_mut().zip(&op.at).take(used) {
            *to = self.known(from, lane, "a coordinate")?;
        }
        Ok(at)
    }

    /// The derivatives between the first three lanes of a lane's quad.
    fn between_lanes(&self, op: &LookupOp, used: usize, (lane, m): (usize, u32)) -> Exec<Level> {
        if Warp::quad_of(lane) & !m != 0 {
            return refuse(lane, "the derivatives of a quad that is not active as a whole".to_string());
        }
        let mut places = [[0.0; 3]; 3];
        for (n, place) in places.iter_mut().enumerate() {
            *place = self.place(op, used, (lane & 28) + n)?.map(f32::from_bits);
        }
        Ok(Level::Gradient(between(places)))
    }

    /// Writes up to four results to two operands.
    fn put_results(&mut self, u: &Uop, lane: usize, words: &[(u32, u32)]) {
        for (n, &(value, undefined)) in words.iter().enumerate() {
            let first = if n < 2 { u.d } else { u.e };
            if first != ZERO {
                let register = first + (n % 2) as u8;
                self.put_lane(register, lane, value);
                self.taint(register, lane, undefined);
            }
        }
    }

    fn lookup(&mut self, u: &Uop, (lane, m): (usize, u32), op: &LookupOp, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let (bound, sampler) = self.texture(op.handle, lane, g)?;
        let Some(texels) = bound.texels else {
            return refuse(lane, format!("`{}` is a sampler alone", bound.texture.name));
        };
        let texture = bound.texture.clone();
        // A texture of one dimension is looked up with a second coordinate.
        let flat = texture.shape.geometry == Geometry::D1 && op.geometry == Geometry::D2 && op.layer.is_none();
        let geometry = if flat { Geometry::D1 } else { op.geometry };
        let used = geometry.coordinates();
        let at = self.place(op, used, lane)?;
        let offset = self.offsets(op, lane)?;
        let float = |register: u8, what| self.known(register, lane, what).map(f32::from_bits);
        let level = match op.level {
            LevelAt::Zero if op.numbers => Level::Number(0),
            LevelAt::Zero => Level::Base,
            LevelAt::Register(register) if op.numbers => Level::Number(self.known(register, lane, "the level")? as i32),
            LevelAt::Register(register) => Level::Lod(float(register, "the level")?),
            LevelAt::Gradient(registers) => {
                let mut gradient = [[0.0; 3]; 2];
                for n in 0..used {
                    gradient[0][n] = float(registers[n], "a derivative")?;
                    gradient[1][n] = float(registers[n + 3], "a derivative")?;
                }
                Level::Gradient(gradient)
            }
            LevelAt::Quad => self.between_lanes(op, used, (lane, m))?,
        };
        let layer = op.layer.map(|register| self.known(register, lane, "a layer")).transpose()?;
        let lookup = Lookup {
            geometry,
            layer: layer.map(|word| word & 0xffff),
            at: match op.numbers {
                true => Position::Integer(at.map(|word| word as i32)),
                false => Position::Float(at.map(f32::from_bits)),
            },
            level,
            sample: op.sample.map(|register| self.known(register, lane, "a sample")).transpose()?,
            offset,
            compare: op.compare.map(|register| float(register, "the reference")).transpose()?,
            gather: op.gather.map(usize::from),
        };
        let color = self.color((lane, m), (&texture, texels), (&lookup, &sampler), blk, g)?;
        let wanted: Vec<(u32, u32)> = (0..4).filter(|n| op.mask >> n & 1 != 0).map(|n| color[n]).collect();
        match op.half {
            None => self.put_results(u, lane, &wanted),
            Some(to_zero) => {
                let mode = Mode { rounding: if to_zero { Rounding::Zero } else { Rounding::Nearest }, ..Mode::RN };
                for (pair, register) in wanted.chunks(2).zip([u.d, u.e]) {
                    let (mut word, mut undefined) = (0, 0);
                    for (n, &(value, undef)) in pair.iter().enumerate() {
                        word |= (to_float(&F32, &F16, value.into(), mode, false) as u32 & 0xffff) << (16 * n);
                        undefined |= if undef == 0 { 0 } else { 0xffff << (16 * n) };
                    }
                    self.put_lane(register, lane, word);
                    self.taint(register, lane, undefined);
                }
            }
        }
        // True if memory is missing: never here.
        self.put_pred(u.pd, 1 << lane, 0, 0);
        Ok(())
    }

    /// Reads the texels of a lookup.
    pub(super) fn color(
        &self,
        (lane, m): (usize, u32),
        (texture, texels): (&Texture, AllocId),
        (lookup, sampler): (&Lookup, &Sampler),
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<Color> {
        let pc = self.splits[self.cur].pc;
        let base = g.mem.base(texels);
        // What a lane that runs along reads is read for one that is active.
        let own = m & !self.lent();
        let of = if own >> lane & 1 != 0 { lane } else { (own & Warp::quad_of(lane)).trailing_zeros() as usize & 31 };
        let mut read = |offset: usize, size: usize| {
            let actor = self.actor(of, false, pc, blk, g);
            let target = Target::Global(texels, offset);
            self.note(&target, size, false, "read", &actor, base + offset as u64, blk, g)?;
            g.stats.global_read += size as u64;
            Ok(g.mem.alloc(texels).seg.load(offset, size))
        };
        match texture.lookup(lookup, sampler, &mut read) {
            Ok(color) => Ok(color),
            Err(Failed::Unfit(text)) => refuse(lane, text),
            Err(Failed::Read(failure)) => Err(failure),
        }
    }

    fn offsets(&self, op: &LookupOp, lane: usize) -> Exec<[i32; 3]> {
        let Some((register, first, bits, distance)) = op.offset else { return Ok([0; 3]) };
        let word = self.known(register, lane, "an offset")?;
        let one = |n: u32| {
            let shifted = word >> (u32::from(first) + n * u32::from(distance));
            (shifted << (32 - u32::from(bits))) as i32 >> (32 - u32::from(bits))
        };
        Ok([one(0), one(1), one(2)])
    }

    fn surface(&mut self, u: &Uop, lane: usize, op: &SurfaceOp, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let word = match op.handle {
            // One uniform register: a surface has no sampler.
            HandleAt::Uniform(n) => self.handle_register(n.into(), lane)?,
            other => self.words(other, lane, g)?.0,
        };
        let Some(Bound { texture, texels: Some(texels) }) = g.mem.textures.image(word).cloned() else {
            return refuse(lane, format!("{word:#x} is the handle of no surface of the launch"));
        };
        let register = |n: usize| if op.at == ZERO { ZERO } else { op.at + n as u8 };
        let used = op.geometry.coordinates();
        let mut at = [0; 3];
        for (n, part) in at.iter_mut().enumerate().take(used) {
            *part = self.known(register(n), lane, "a coordinate")? as i32;
        }
        let layer = op.array.then(|| self.known(register(used), lane, "a layer")).transpose()?;
        let format = texture.shape.format;
        let (size, what) = match op.action {
            Action::Load(size, _) => (usize::from(size), "read"),
            Action::Store(size) => (usize::from(size), "write"),
            Action::Channels(_) => (format.bytes(), "write"),
            Action::Reduce(_, ty) => (usize::from(ty.bytes()), "atomic"),
        };
        let place = Place { geometry: op.geometry, at, layer, bytes: op.bytes, size: size as u32, clamp: op.clamp };
        let found = match texture.place(&place) {
            Ok(Found::At(offset)) => Some(offset),
            Ok(Found::Nowhere) => None,
            Ok(Found::Trap(text)) | Err(text) => return refuse(lane, text),
        };
        if let Some(offset) = found {
            self.note_surface((texels, offset, size), what, lane, blk, g)?;
        }
        match (op.action, found) {
            (Action::Load(_, signed), found) => {
                let (mut value, mut undef) = found.map_or((0, 0), |offset| g.mem.alloc(texels).seg.load(offset, size));
                if signed && size < 4 {
                    let shift = 128 - 8 * size as u32;
                    value = ((value << shift) as i128 >> shift) as u128;
                    undef = ((undef << shift) as i128 >> shift) as u128;
                }
                if u.d != ZERO {
                    for n in 0..size.div_ceil(4) {
                        self.put_lane(u.d + n as u8, lane, (value >> (32 * n)) as u32);
                        self.taint(u.d + n as u8, lane, (undef >> (32 * n)) as u32);
                    }
                }
                self.put_pred(u.pd, 1 << lane, 0, 0);
            }
            (_, None) => {}
            (Action::Store(_), Some(offset)) => {
                let (value, undef) = self.data(u, 1, size, lane);
                g.mem.alloc_mut(texels).seg.store(offset, size, value, undef);
            }
            (Action::Channels(count), Some(offset)) => {
                let bits = format.channel.bits();
                let mask = u32::MAX >> (32 - bits);
                let (mut texel, mut undef) = (0u128, 0u128);
                let (value, unknown) = self.data(u, 1, 4 * usize::from(count), lane);
                for n in 0..format.channels as usize {
                    // Channels that are not given are unpredictable.
                    let given = n < usize::from(count) && (unknown >> (32 * n)) as u32 == 0;
                    texel |= u128::from(format.store((value >> (32 * n)) as u32, n)) << (bits * n as u32);
                    undef |= u128::from(if given { 0 } else { mask }) << (bits * n as u32);
                }
                g.mem.alloc_mut(texels).seg.store(offset, size, texel, undef);
            }
            (Action::Reduce(kind, ty), Some(offset)) => {
                let (value, undef) = self.data(u, 1, size, lane);
                let seg = &mut g.mem.alloc_mut(texels).seg;
                let (old, old_undef) = seg.load(offset, size);
                let all = u128::MAX >> (128 - 8 * size);
                let new = update(kind, ty.resolve(matches!(format.channel, Channel::Signed(_))), old, value & all);
                let spoiled = if undef == 0 && old_undef == 0 { 0 } else { all };
                seg.store(offset, size, new & all, spoiled);
            }
        }
        Ok(())
    }

    /// Checks that a surface may be written to, and records the access.
    fn note_surface(
        &self,
        (texels, offset, size): (AllocId, usize, usize),
        what: &'static str,
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let addr = g.mem.base(texels) + offset as u64;
        let target = Target::Global(texels, offset);
        let write = what != "read";
        if write {
            self.check_writable(&target, addr, size, lane, g)?;
            g.stats.global_written += size as u64;
        } else {
            g.stats.global_read += size as u64;
        }
        let actor = self.actor(lane, what == "atomic", self.splits[self.cur].pc, blk, g);
        self.note(&target, size, write, what, &actor, addr, blk, g)
    }
}
