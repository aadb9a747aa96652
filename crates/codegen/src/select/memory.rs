//! Addresses, loads, stores, atomics, fences.

use raddle_cubin::unit::RelocKind;
use raddle_ir::{Cache, Mem, Mty, Op, Order, Prefetch, Scope, Slot, Space, Sym, Value, Width};
use raddle_sass::row::SlotRole;
use smallvec::SmallVec;

use super::{BANK, Part, Ra, Rb, Rc, Rd, Select, imm, words};
use crate::convention::DESC;
use crate::mir::{MKind, MOp, MReloc, MTarget, Regs};
use crate::sass::{self, tokens as t};

impl Select<'_> {
    pub(super) fn symbol_addr(&mut self, sym: Sym, offset: i64, r: Value) {
        if self.f.width(r) == Width::B32 {
            let reloc = MReloc { kind: RelocKind::ConstOffsetImm, of: MTarget::Sym(sym), addend: offset };
            let d = self.m.vreg(raddle_sass::row::File::Gpr);
            self.emit_full(sass::mov(), &[(Rd, MOp::reg(d)), (Rb, imm(0))], Some(reloc));
            return self.set_regs(r, &[d]);
        }
        // The address is a word pair in constant bank 4, which the driver fills; linkers of objects
        // do not support that, and fill in the instructions.
        let halves = match self.cx.options.relocatable {
            false => [(RelocKind::AddressSlot, 0), (RelocKind::AddressSlot, 4)],
            true => [(RelocKind::Abs32Lo, 0), (RelocKind::Abs32Hi, 0)],
        };
        let parts: SmallVec<[Part; 2]> = halves
            .into_iter()
            .map(|(kind, addend)| {
                let reloc = MReloc { kind, of: MTarget::Sym(sym), addend };
                let from = if kind == RelocKind::AddressSlot { MOp::cbank(4, 0) } else { imm(0) };
                let d = self.m.vreg(raddle_sass::row::File::Gpr);
                self.emit_full(sass::mov(), &[(Rd, MOp::reg(d)), (Rb, from)], Some(reloc));
                Part::Reg(d)
            })
            .collect();
        let v = self.add64(&parts, &[Part::Imm(offset as u32), Part::Imm((offset >> 32) as u32)]);
        self.set(r, &v);
    }

    pub(super) fn slot_addr(&mut self, slot: Slot, offset: i32, r: Value) {
        if self.is_placed_later(slot) {
            return self.shared_addr(slot, offset, r);
        }
        let at = self.slots[slot].wrapping_add(offset) as u32;
        if self.f.slots[slot].space == Space::Shared {
            return self.set(r, &[Part::Imm(at)]);
        }
        let v = self.emit1(
            sass::iadd3(),
            &[(Ra, MOp::new(MKind::Phys(self.m.frame_register()))), (Rb, imm(at)), (Rc, MOp::zero())],
        );
        self.set_regs(r, &[v]);
    }

    /// Whether the linker of objects allocates the variable.
    fn is_placed_later(&self, slot: Slot) -> bool {
        self.cx.options.relocatable && self.f.slots[slot].space == Space::Shared
    }

    /// The address of a shared variable that a linker of objects allocates.
    fn shared_addr(&mut self, slot: Slot, offset: i32, r: Value) {
        // A relocation cannot refer to memory before the variable.
        let (addend, rest) = if offset < 0 { (0, offset as u32) } else { (offset.into(), 0) };
        let reloc = MReloc { kind: RelocKind::SharedImm, of: MTarget::Slot(slot), addend };
        let d = self.m.vreg(raddle_sass::row::File::Gpr);
        self.emit_full(sass::mov(), &[(Rd, MOp::reg(d)), (Rb, imm(0))], Some(reloc));
        let sum = if rest == 0 { Part::Reg(d) } else { self.add32(Part::Reg(d), Part::Imm(rest)) };
        self.set(r, &[sum]);
    }

    /// An address operand of a space; offset bytes that do not fit are added to the base.
    pub(super) fn addr(&mut self, v: Value, space: Space, offset: i32) -> MOp {
        self.addr_within(v, space, offset, 24)
    }

    /// The same for an offset of this many bits.
    pub(super) fn addr_within(&mut self, v: Value, space: Space, offset: i32, bits: u32) -> MOp {
        let fits = |x: i64| (-1 << (bits - 1)..1 << (bits - 1)).contains(&x);
        let mut offset = i64::from(offset);
        let mut v = v;
        let wide = matches!(space, Space::Generic | Space::Global);
        // Constants go into the offset. Addresses of 32 bits wrap around ("ptxas 13.0.88 output").
        while let Some((Op::Add, args)) = self.def(v) {
            let (x, y) = (args[0], args[1]);
            let Some(c) = self.f.constant(y) else { break };
            let c = if wide { c as i64 } else { i64::from(c as i32) };
            if !fits(offset.wrapping_add(c)) {
                break;
            }
            offset += c;
            v = x;
        }
        let desc = wide.then_some(DESC);
        self.m.uses_desc |= wide;
        if let Some((Op::SlotAddr(slot, o), _)) = self.def(v)
            && !self.is_placed_later(slot)
        {
            let at = i64::from(self.slots[slot]) + i64::from(o) + offset;
            if fits(at) {
                let phys = (self.f.slots[slot].space == Space::Local).then(|| self.m.frame_register());
                return MOp::new(MKind::Addr { base: Regs::new(), phys, desc, offset: at as i32 });
            }
        }
        let parts = self.parts(v);
        if let (false, Part::Imm(n)) = (wide, parts[0]) {
            let at = i64::from(n as i32) + offset;
            if fits(at) {
                return MOp::new(MKind::Addr { base: Regs::new(), phys: None, desc, offset: at as i32 });
            }
        }
        let base: Regs = parts.iter().map(|&p| self.reg(p)).collect();
        if fits(offset) {
            return MOp::new(MKind::Addr { base, phys: None, desc, offset: offset as i32 });
        }
        let add = [Part::Imm(offset as u32), Part::Imm((offset >> 32) as u32)];
        let base: Regs = if wide {
            let sum = self.add64(&parts, &add);
            sum.iter().map(|&p| self.reg(p)).collect()
        } else {
            let sum = self.add32(parts[0], add[0]);
            Regs::from_slice(&[self.reg(sum)])
        };
        MOp::new(MKind::Addr { base, phys: None, desc, offset: 0 })
    }

    pub(super) fn load(&mut self, mem: Mem, addr: Value, results: &[Value]) {
        let bytes = mem.ty.bytes() * u32::from(mem.count);
        let sub = mem.ty.bytes() < 4 && mem.count > 1;
        // A vector of small elements is loaded whole and unpacked.
        let size = match (bytes, mem.count) {
            (_, 1) => size_of(mem.ty),
            (2, _) => t::Size::U16,
            (4, _) => t::Size::None,
            (8, _) => t::Size::N64,
            (16, _) => t::Size::N128,
            _ => return self.refuse(),
        };
        let n = (bytes as usize).div_ceil(4);
        let regs: SmallVec<[Part; 4]> = match mem.space {
            Space::Param => {
                let base = i32::from(self.native.cbank.params_at(self.f.many_params)) + mem.offset;
                self.load_const(0, base, None, addr, mem, n, size)
            }
            Space::Const => {
                let symbol = match self.def(addr) {
                    Some((Op::SymbolAddr(sym, o), _)) => Some(MReloc {
                        kind: RelocKind::ConstOffset,
                        of: MTarget::Sym(sym),
                        addend: o + i64::from(mem.offset),
                    }),
                    _ => None,
                };
                self.load_const(3, mem.offset, symbol, addr, mem, n, size)
            }
            Space::Global | Space::Generic => {
                let a = self.addr(addr, mem.space, mem.offset);
                let (Some(order), cache) = (load_order(&mem), cache_mod(mem.cache)) else { return self.refuse() };
                let name = if mem.space == Space::Global { sass::ldg } else { sass::ld };
                let v = self.emit_wide(n, name(cache, ltc(mem.prefetch), size, order), &[(SlotRole::Addr, a)]);
                self.acquired(mem.order, mem.scope);
                v.into_iter().map(Part::Reg).collect()
            }
            Space::Shared => {
                let a = self.addr(addr, mem.space, mem.offset);
                let v = self.emit_wide(n, sass::lds(size), &[(SlotRole::Addr, a)]);
                self.acquired(mem.order, mem.scope);
                v.into_iter().map(Part::Reg).collect()
            }
            Space::Local => {
                let a = self.addr(addr, mem.space, mem.offset);
                let v = self.emit_wide(n, sass::ldl(size), &[(SlotRole::Addr, a)]);
                v.into_iter().map(Part::Reg).collect()
            }
        };
        if sub {
            for (k, &r) in results.iter().enumerate() {
                let p = self.element(&regs, k, mem.ty);
                self.set(r, &[p]);
            }
        } else {
            for (r, parts) in results.iter().zip(regs.chunks(words(mem.ty.width()))) {
                self.set(*r, parts);
            }
        }
    }

    /// Element `k` of packed small elements, extended.
    fn element(&mut self, words: &[Part], k: usize, ty: Mty) -> Part {
        let at = k * ty.bytes() as usize;
        let Some(&w) = words.get(at / 4) else { return Part::Undef };
        let byte = (at % 4) as u32;
        let w = self.op(w);
        let selector = match ty {
            Mty::U8 => 0x4440 | byte,
            Mty::S8 => (8 | byte) << 12 | (8 | byte) << 8 | (8 | byte) << 4 | byte,
            Mty::U16 => 0x4400 | (byte + 1) << 4 | byte,
            _ => (9 + byte) << 12 | (9 + byte) << 8 | (byte + 1) << 4 | byte,
        };
        Part::Reg(self.emit1(sass::prmt(t::Permute::None), &[(Ra, w), (Rb, imm(selector)), (Rc, MOp::zero())]))
    }

    /// A load from a constant bank.
    #[expect(clippy::too_many_arguments, reason = "two callers that share all but the bank")]
    fn load_const(
        &mut self,
        bank: u8,
        base: i32,
        reloc: Option<MReloc>,
        addr: Value,
        mem: Mem,
        n: usize,
        size: t::Size,
    ) -> SmallVec<[Part; 4]> {
        let known = match self.parts(addr)[0] {
            Part::Imm(at) => Some(base + at as i32),
            _ if reloc.is_some() => Some(0),
            _ => None,
        };
        if let Some(at) = known {
            if mem.ty.bytes() * u32::from(mem.count) >= 4 {
                return (0..n as i32)
                    .map(|k| {
                        let reloc = reloc.map(|r| MReloc { addend: r.addend + i64::from(4 * k), ..r });
                        let d = self.m.vreg(raddle_sass::row::File::Gpr);
                        self.emit_full(sass::mov(), &[(Rd, MOp::reg(d)), (Rb, MOp::cbank(bank, at + 4 * k))], reloc);
                        self.bank[d] = reloc.is_none().then_some((bank, at + 4 * k));
                        Part::Reg(d)
                    })
                    .collect();
            }
            let d = self.m.vreg(raddle_sass::row::File::Gpr);
            let from = MOp::cbank(bank, at);
            self.emit_full(sass::ldc(bank_size(size)), &[(Rd, MOp::reg(d)), (SlotRole::Misc, from)], reloc);
            return SmallVec::from_iter([Part::Reg(d)]);
        }
        let p = self.part(addr);
        let bytes = mem.ty.bytes() * u32::from(mem.count);
        // The offset is signed, and the sum is not known to wrap at the size of a bank ("ptxas
        // 13.0.88 output": 64 KiB are added to the index, so that an offset in the upper half may
        // be negative).
        let (p, base) = match base {
            -0x8000..=0x7fff => (p, base),
            ..=0xffff if base > 0 => (self.add32(p, Part::Imm(BANK)), base - BANK as i32),
            _ => (self.add32(p, Part::Imm(base as u32)), 0),
        };
        let index = self.reg(p);
        if bytes > 8 {
            // In two halves.
            return (0..n as i32 / 2)
                .flat_map(|k| {
                    let o = MOp::new(MKind::CBank { bank, offset: base + 8 * k, index: Some(index) });
                    self.emit_wide(2, sass::ldc(t::BankSize::N64), &[(SlotRole::Misc, o)])
                })
                .map(Part::Reg)
                .collect();
        }
        let o = MOp::new(MKind::CBank { bank, offset: base, index: Some(index) });
        self.emit_wide(n, sass::ldc(bank_size(size)), &[(SlotRole::Misc, o)]).into_iter().map(Part::Reg).collect()
    }

    pub(super) fn store(&mut self, mem: Mem, args: &[Value]) {
        let bytes = mem.ty.bytes() * u32::from(mem.count);
        let size = match (bytes, mem.count) {
            (_, 1) => match mem.ty {
                Mty::S8 => t::Size::U8,
                Mty::S16 => t::Size::U16,
                ty => size_of(ty),
            },
            (2, _) => t::Size::U16,
            (4, _) => t::Size::None,
            (8, _) => t::Size::N64,
            (16, _) => t::Size::N128,
            _ => return self.refuse(),
        };
        let parts: SmallVec<[Part; 4]> = if mem.ty.bytes() < 4 && mem.count > 1 {
            self.pack_elements(&args[1..], mem.ty)
        } else {
            args[1..].iter().flat_map(|&v| self.parts(v)).collect()
        };
        let value = if parts.len() == 1 && matches!(parts[0], Part::Imm(0)) { MOp::zero() } else { self.regs(&parts) };
        let Some(order) = store_order(&mem) else { return self.refuse() };
        if mem.order == Order::Release {
            self.fence(Order::AcqRel, mem.scope);
        }
        let a = self.addr(args[0], mem.space, mem.offset);
        let cache = cache_mod(mem.cache);
        let name = match mem.space {
            Space::Global => sass::stg(cache, size, order),
            Space::Generic => sass::st(cache, size, order),
            Space::Shared => sass::sts(size),
            Space::Local => sass::stl(size),
            _ => return self.refuse(),
        };
        self.emit(name, &[(SlotRole::Addr, a), (Rb, value)]);
    }

    /// Packs small elements into words.
    fn pack_elements(&mut self, values: &[Value], ty: Mty) -> SmallVec<[Part; 4]> {
        let per = 4 / ty.bytes() as usize;
        values
            .chunks(per)
            .map(|chunk| {
                let mut acc = self.part(chunk[0]);
                for (k, &v) in chunk.iter().enumerate().skip(1) {
                    let p = self.part(v);
                    // Keep the previous bytes (0 to 3 select from the first operand), add the new
                    // ones (from 4 on).
                    let selector = match (ty.bytes(), k) {
                        (2, _) => 0x5410,
                        (_, 1) => 0x3240,
                        (_, 2) => 0x3410,
                        _ => 0x4210,
                    };
                    let (a, b) = (self.op(acc), self.op(p));
                    acc = Part::Reg(self.emit1(sass::prmt(t::Permute::None), &[(Ra, a), (Rb, imm(selector)), (Rc, b)]));
                }
                acc
            })
            .collect()
    }

    /// Follows an acquire, so that no later access comes before it: invalidates cached lines that
    /// other multiprocessors may have written ("ptxas 13.0.88 output"). Within a CTA the machine
    /// needs nothing, as it accesses memory in issue order; the fence is for our two schedulers,
    /// which treat shared and global memory as independent.
    pub(super) fn acquired(&mut self, order: Order, scope: Scope) {
        match (order, scope) {
            (Order::Acquire | Order::AcqRel, Scope::Cta) => self.fence(Order::AcqRel, scope),
            (Order::Acquire | Order::AcqRel, _) => self.emit(sass::cctl_ivall(), &[]),
            _ => {}
        }
    }

    /// A fence, of one side only for [`Order::Release`] and [`Order::Acquire`]: then what precedes
    /// it is performed, or what the first-level cache holds is forgotten ("ptxas 13.0.88 output").
    pub(super) fn fence(&mut self, order: Order, scope: Scope) {
        if order == Order::Acquire {
            if scope != Scope::Cta {
                self.emit(sass::cctl_ivall(), &[]);
            }
            return;
        }
        let fence = if order == Order::Sc { t::Fence::Sc } else { t::Fence::All };
        let level = match scope {
            Scope::Cta => t::Level::Cta,
            Scope::Sys => t::Level::Sys,
            _ => t::Level::Gpu,
        };
        self.before_fence();
        self.emit(sass::membar(fence, level), &[]);
        if scope != Scope::Cta {
            // ptxas 13.0.88 output after every fence wider than a CTA.
            self.emit(sass::errbar(), &[]);
            if self.hopper() {
                self.emit(sass::cgaerrbar(), &[]);
            }
            if order != Order::Release {
                self.emit(sass::cctl_ivall(), &[]);
            }
        }
    }

    pub(super) fn is_space(&mut self, space: Space, a: Value, r: Value) {
        let window = match space {
            Space::Shared => t::Window::S,
            Space::Local => t::Window::L,
            Space::Global => t::Window::G,
            _ => return self.refuse(),
        };
        self.is_in_window(window, a, r);
    }

    pub(super) fn is_in_window(&mut self, window: t::Window, a: Value, r: Value) {
        let parts = self.parts(a);
        let base: Regs = parts.iter().map(|&p| self.reg(p)).collect();
        let p = self.emit_pred(
            sass::qspc(window),
            &[(SlotRole::Addr, MOp::new(MKind::Addr { base, phys: None, desc: None, offset: 0 }))],
        );
        self.set_pred(r, p);
    }

    pub(super) fn cache_line(&mut self, line: t::Line, a: Value) {
        let parts = self.parts(a);
        let base: Regs = parts.iter().map(|&p| self.reg(p)).collect();
        self.emit(
            sass::cctl(line),
            &[(SlotRole::Addr, MOp::new(MKind::Addr { base, phys: None, desc: None, offset: 0 }))],
        );
    }
}

fn size_of(ty: Mty) -> t::Size {
    match ty {
        Mty::U8 => t::Size::U8,
        Mty::S8 => t::Size::S8,
        Mty::U16 => t::Size::U16,
        Mty::S16 => t::Size::S16,
        Mty::B32 => t::Size::None,
        Mty::B64 => t::Size::N64,
        Mty::B128 => t::Size::N128,
    }
}

/// Access sizes of constant banks: larger ones are loaded in halves.
fn bank_size(size: t::Size) -> t::BankSize {
    match size {
        t::Size::U8 => t::BankSize::U8,
        t::Size::S8 => t::BankSize::S8,
        t::Size::U16 => t::BankSize::U16,
        t::Size::S16 => t::BankSize::S16,
        t::Size::None => t::BankSize::None,
        t::Size::N64 | t::Size::N128 => t::BankSize::N64,
    }
}

pub(super) fn ltc(p: Prefetch) -> t::Prefetch {
    match p {
        Prefetch::None => t::Prefetch::None,
        Prefetch::L64 => t::Prefetch::Ltc64b,
        Prefetch::L128 => t::Prefetch::Ltc128b,
        Prefetch::L256 => t::Prefetch::Ltc256b,
    }
}

fn cache_mod(c: Cache) -> t::Cache {
    match c {
        Cache::EvictFirst | Cache::NcEvictFirst | Cache::Cs => t::Cache::Ef,
        Cache::EvictLast | Cache::NcEvictLast => t::Cache::El,
        Cache::NoAllocate | Cache::NcNoAllocate => t::Cache::Na,
        Cache::EvictUnchanged => t::Cache::Eu,
        Cache::Lu => t::Cache::Lu,
        _ => t::Cache::None,
    }
}

fn load_order(m: &Mem) -> Option<t::LoadOrder> {
    Some(match m.order {
        Order::Weak => match m.cache {
            Cache::Nc | Cache::NcEvictFirst | Cache::NcEvictLast | Cache::NcNoAllocate => t::LoadOrder::Constant,
            Cache::Cv => t::LoadOrder::StrongSys,
            Cache::Cg => t::LoadOrder::StrongGpu,
            Cache::Ca => t::LoadOrder::StrongSm,
            _ => t::LoadOrder::None,
        },
        Order::Volatile => t::LoadOrder::StrongSys,
        Order::Relaxed | Order::Acquire => match m.scope {
            Scope::Cta => t::LoadOrder::StrongSm,
            Scope::Sys => t::LoadOrder::StrongSys,
            _ => t::LoadOrder::StrongGpu,
        },
        Order::Mmio => t::LoadOrder::MmioSys,
        _ => return None,
    })
}

fn store_order(m: &Mem) -> Option<t::StoreOrder> {
    Some(match m.order {
        // ptxas 13.0.88 output.
        Order::Weak => match m.cache {
            Cache::Wt => t::StoreOrder::StrongSys,
            Cache::Cg => t::StoreOrder::StrongGpu,
            Cache::Wb => t::StoreOrder::StrongSm,
            _ => t::StoreOrder::None,
        },
        Order::Volatile => t::StoreOrder::StrongSys,
        Order::Relaxed | Order::Release => match m.scope {
            Scope::Cta => t::StoreOrder::StrongSm,
            Scope::Sys => t::StoreOrder::StrongSys,
            _ => t::StoreOrder::StrongGpu,
        },
        Order::Mmio => t::StoreOrder::MmioSys,
        _ => return None,
    })
}
