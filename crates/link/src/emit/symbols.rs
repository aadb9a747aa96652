//! Symbols from their plan.

use raddle_cubin::elf::st;
use raddle_cubin::model::{Place, Symbol};
use raddle_cubin::unit::Linkage;

use super::plan::{Role, Sym};
use super::{Emitter, function};
use crate::layout::Area;
use crate::resolve::{Body, DefId};

impl Emitter<'_, '_> {
    /// The symbol of a plan's entry.
    pub(super) fn symbol(&self, symbol: Sym) -> Symbol {
        let make = |name: String, binding, kind, place, value, size| Symbol {
            name,
            binding,
            kind,
            other: 0,
            place,
            value,
            size,
        };
        let within = |role| Place::Section(self.index(role));
        let copy = |k: usize, c: usize| self.patched.kernels[k].copies[c];
        match symbol {
            Sym::Null => make(String::new(), st::LOCAL, st::NOTYPE, Place::Undefined, 0, 0),
            Sym::Section(role) => make(self.name(role), st::LOCAL, st::SECTION, within(role), 0, 0),
            Sym::Copy(k, c) => {
                let c = copy(k, c);
                let name = format!("${}${}", self.kernel_name(k), self.program.def(c.def).name);
                make(name, st::LOCAL, st::FUNC, within(Role::Text(k)), c.offset, c.size)
            }
            Sym::Part(k, c, p) => {
                let c = copy(k, c);
                let unit = self.program.def(c.def).unit;
                let part = function(self.program, c.def).and_then(|f| f.parts.get(p));
                let name =
                    part.and_then(|p| self.program.units[unit].symbols.name(p.name)).unwrap_or_default().to_owned();
                let (offset, size) = part.map_or((0, 0), |p| (u64::from(p.offset), u64::from(p.size)));
                make(name, st::LOCAL, st::FUNC, within(Role::Text(k)), c.offset + offset, size)
            }
            Sym::ReservedSize => make(".nv.reservedSmem.offset0".into(), st::WEAK, st::OBJECT, Place::Undefined, 0, 4),
            Sym::ReservedAlias => {
                let name = "__nv_reservedSMEM_offset_0_alias".into();
                let alias = make(name, st::WEAK, st::NOTYPE, within(Role::ReservedShared), 0, 0);
                Symbol { other: st::OTHER_RESERVED_SHARED, ..alias }
            }
            Sym::Def(id) => self.definition_symbol(id),
        }
    }

    fn definition_symbol(&self, id: DefId) -> Symbol {
        let def = self.program.def(id);
        let binding = match (def.linkage, def.body) {
            (_, Body::Function(_)) => st::GLOBAL,
            (Linkage::Unit | Linkage::Module, _) => st::LOCAL,
            (Linkage::Weak, _) => st::WEAK,
            _ => st::GLOBAL,
        };
        let (kind, other, place, value, size) = match def.body {
            Body::Function(_) => {
                let k = self.kernel_index.get(&id).copied().unwrap_or(0);
                let size = self.patched.kernels[k].code.len() as u64;
                (st::FUNC, st::OTHER_ENTRY, Place::Section(self.index(Role::Text(k))), 0, size)
            }
            Body::External => (st::FUNC, 0, Place::Undefined, 0, 0),
            Body::Data(d) => {
                let (area, offset) = self.layout.place(id).unwrap_or((Area::Global, 0));
                let role = match area {
                    Area::GlobalInit => Role::GlobalInit,
                    Area::Global => Role::Global,
                    Area::Const => Role::Const,
                };
                let other = if d.managed { st::OTHER_MANAGED } else { 0 };
                (st::OBJECT, other, Place::Section(self.index(role)), offset, d.definition.size())
            }
        };
        Symbol { name: def.name.to_owned(), binding, kind, other, place, value, size }
    }
}
