//! Checks the invariants of a unit.

use super::{Definition, Lines, RelocKind, Relocation, SymbolId, UnitObject};

/// The reason why a unit is invalid: a defect of the code generator, never of the user's input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// A symbol id out of range.
    #[error("{place}: symbol {} is not in the unit's table", .id.0)]
    Symbol {
        /// Function or variable.
        place: String,
        /// The id.
        id: SymbolId,
    },
    /// A relocation outside its bytes.
    #[error("{place}: {kind:?} relocation at {offset:#x} is outside its {size} bytes")]
    RelocationRange {
        /// Function or variable.
        place: String,
        /// Kind.
        kind: RelocKind,
        /// Byte offset.
        offset: u32,
        /// Size of the bytes.
        size: usize,
    },
    /// Code length, alignment, mark or part out of range.
    #[error("{place}: {what} {value:#x} is not valid")]
    Value {
        /// Function or variable.
        place: String,
        /// The kind of value.
        what: &'static str,
        /// The value.
        value: u64,
    },
}

impl UnitObject {
    /// Checks the invariants listed in the header of the parent module; reports the first
    /// violation.
    pub fn verify(&self) -> Result<(), UnitError> {
        for f in &self.functions {
            let place = self.checked_name("function", f.name)?;
            let bad = |what, value: u64| UnitError::Value { place: place.clone(), what, value };
            if f.code.len() % 16 != 0 || f.code.len() > u32::MAX as usize {
                return Err(bad("code length", f.code.len() as u64));
            }
            if f.registers > 255 {
                return Err(bad("register count", f.registers.into()));
            }
            if f.barriers > 16 {
                return Err(bad("barrier count", f.barriers.into()));
            }
            for align in [f.constants.align, f.shared.align] {
                if align & align.wrapping_sub(1) != 0 {
                    return Err(bad("alignment", align.into()));
                }
            }
            for part in &f.parts {
                self.checked_name(&place, part.name)?;
                if u64::from(part.offset) + u64::from(part.size) > f.code.len() as u64 {
                    return Err(bad("part end", u64::from(part.offset) + u64::from(part.size)));
                }
            }
            for &callee in &f.callees {
                self.checked_name(&place, callee)?;
            }
            let m = &f.marks;
            for list in [&m.exits, &m.warp_wide, &m.s2r_ctaid, &m.syscalls] {
                if let Some(&off) = list.iter().find(|&&o| o % 16 != 0 || o as usize >= f.code.len()) {
                    return Err(bad("mark", off.into()));
                }
            }
            if let Some(lines) = &f.lines {
                verify_lines(lines, f.code.len()).map_err(|(what, value)| bad(what, value))?;
            }
            let mut labels = f.debug.iter().flat_map(|debug| &debug.labels);
            if let Some(&(_, at)) = labels.find(|(_, at)| *at as usize > f.code.len()) {
                return Err(bad("label", at.into()));
            }
            let mut ranges = f.debug.iter().flat_map(|debug| &debug.registers);
            if let Some(range) = ranges.find(|range| range.from > range.to || range.to as usize > f.code.len()) {
                return Err(bad("range of a register", range.to.into()));
            }
            let mut steps = f.unwind.iter().flatten();
            if let Some(step) = steps.find(|step| step.offset % 16 != 0 || step.offset as usize > f.code.len()) {
                return Err(bad("change of the frame", step.offset.into()));
            }
            self.verify_relocations(&place, &f.relocations, f.code.len(), 16)?;
            self.verify_relocations(&place, &f.constants.relocations, f.constants.bytes.len(), 0)?;
        }
        for d in &self.data {
            let place = self.checked_name("variable", d.name)?;
            if !d.align.is_power_of_two() {
                return Err(UnitError::Value { place, what: "alignment", value: d.align.into() });
            }
            let len = if let Definition::Bytes(b) = &d.definition { b.len() } else { 0 };
            self.verify_relocations(&place, &d.relocations, len, 0)?;
        }
        Ok(())
    }

    fn checked_name(&self, place: &str, id: SymbolId) -> Result<String, UnitError> {
        self.symbols.name(id).map(str::to_owned).ok_or_else(|| UnitError::Symbol { place: place.to_owned(), id })
    }

    /// `width` is 16 for code; with 0 the width depends on the kind.
    fn verify_relocations(
        &self,
        place: &str,
        relocs: &[Relocation],
        size: usize,
        width: usize,
    ) -> Result<(), UnitError> {
        for r in relocs {
            if self.symbols.name(r.symbol).is_none() {
                return Err(UnitError::Symbol { place: place.to_owned(), id: r.symbol });
            }
            let width = match (width, r.kind) {
                (0, RelocKind::Abs64 | RelocKind::Generic64) => 8,
                (0, kind) if kind.byte().is_some() => 1,
                (0, RelocKind::CodeOffset32) => 4,
                (0, _) => usize::MAX, // an instruction field in data
                (_, RelocKind::CodeOffset32) => usize::MAX,
                (_, kind) if kind.is_address_in_data() => usize::MAX,
                (w, _) if r.offset % 16 == 0 => w,
                _ => usize::MAX,
            };
            if (r.offset as usize).checked_add(width).is_none_or(|end| end > size) {
                return Err(UnitError::RelocationRange {
                    place: place.to_owned(),
                    kind: r.kind,
                    offset: r.offset,
                    size,
                });
            }
        }
        Ok(())
    }
}

/// Checks that every index of a function's line table is in range, and that calls precede what is
/// inlined at them.
fn verify_lines(lines: &Lines, size: usize) -> Result<(), (&'static str, u64)> {
    for (index, p) in lines.places.iter().enumerate() {
        if p.file as usize >= lines.files.len() {
            return Err(("file of a source place", p.file.into()));
        }
        if let Some((_, call)) = &p.inlined
            && *call as usize >= index
        {
            return Err(("call of a source place", (*call).into()));
        }
    }
    let mut end = 0;
    for row in &lines.rows {
        if row.place.is_some_and(|p| p as usize >= lines.places.len()) {
            return Err(("place of a line row", row.place.unwrap_or_default().into()));
        }
        if row.offset < end || row.offset % 16 != 0 || row.offset as usize >= size {
            return Err(("offset of a line row", row.offset.into()));
        }
        end = row.offset;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, FrameRule, FrameStep, Function, LineRow, Linkage, SourceFile, SourcePlace};
    use super::*;

    fn unit() -> (UnitObject, SymbolId) {
        let mut unit = UnitObject::default();
        let name = unit.symbols.intern("k");
        unit.functions.push(Function::new(name, Linkage::Visible, Some(Entry::default()), vec![0; 32]));
        (unit, name)
    }

    #[test]
    fn verify_finds_each_kind_of_defect() {
        let (good, name) = unit();
        assert_eq!(good.verify(), Ok(()));

        let reloc = |offset, kind| Relocation { offset, kind, symbol: name, addend: 0 };
        for (offset, kind) in [(32, RelocKind::SharedImm), (8, RelocKind::SharedImm), (0, RelocKind::Abs64)] {
            let mut bad = good.clone();
            bad.functions[0].relocations.push(reloc(offset, kind));
            assert!(matches!(bad.verify(), Err(UnitError::RelocationRange { .. })), "{offset} {kind:?}");
        }
        let mut ok = good.clone();
        ok.functions[0].relocations.push(reloc(16, RelocKind::AddressSlot));
        assert_eq!(ok.verify(), Ok(()));

        let mut bad = good.clone();
        bad.functions[0].callees.push(SymbolId(9));
        assert!(matches!(bad.verify(), Err(UnitError::Symbol { .. })));
        let mut bad = good.clone();
        bad.functions[0].marks.exits.push(32);
        assert!(matches!(bad.verify(), Err(UnitError::Value { what: "mark", .. })));
        let source = SourcePlace { file: 0, line: 1, column: 0, inlined: Some(("f".into(), 1)) };
        let file = SourceFile { path: "a.cu".into(), stamp: (0, 0) };
        let rows = vec![LineRow { offset: 32, place: None, ptx_line: 1 }];
        for lines in [
            Lines { places: vec![source.clone()], files: vec![file], ..Lines::default() },
            Lines { places: vec![source], ..Lines::default() },
            Lines { rows, ..Lines::default() },
        ] {
            let mut bad = good.clone();
            bad.functions[0].lines = Some(lines);
            assert!(matches!(bad.verify(), Err(UnitError::Value { .. })));
        }
        let mut bad = good.clone();
        bad.functions[0].unwind = Some(vec![FrameStep { offset: 48, rule: FrameRule::Remember }]);
        assert!(matches!(bad.verify(), Err(UnitError::Value { what: "change of the frame", .. })));
        let mut bad = good;
        bad.functions[0].code.push(0);
        assert!(matches!(bad.verify(), Err(UnitError::Value { what: "code length", .. })));
    }
}
