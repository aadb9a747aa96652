//! Orders and numbers the symbols.

use raddle_cubin::elf::{SHN_COMMON, st};
use raddle_cubin::model::{Kind, Symbol, SymbolPlace};
use raddle_entity::FxHashMap;

use super::image::{At, Image, Plan, Role, Sym};

/// The suffix of the variable for a function's constant pool, whose visibility is `STV_INTERNAL`,
/// as in ptxas 13.0.88.
const POOL: &str = ".const_opt.0.32";
const INTERNAL: u8 = 1;

/// Symbols in file order with their numbers.
pub(super) struct Symbols<'a> {
    pub list: Vec<Symbol>,
    numbers: FxHashMap<Sym<'a>, u32>,
    /// The number of the first global symbol.
    pub first_global: u32,
}

impl<'a> Symbols<'a> {
    /// Numbers all symbols of an image whose sections have these numbers; `roles` lists the
    /// sections in file order.
    pub(super) fn of(image: &Image<'a>, roles: &[Role], indices: &FxHashMap<Role, u32>) -> Symbols<'a> {
        let mut out = Symbols { list: Vec::new(), numbers: FxHashMap::default(), first_global: 0 };
        let local = |sym: Sym<'a>, name: String, kind: u8, at: At| {
            let (binding, other, value, size) = (st::LOCAL, 0, 0, 0);
            Plan { sym, name, binding, kind, other, at, value, size }
        };
        out.add(indices, &local(Sym::Null, String::new(), st::NOTYPE, At::Undefined));
        for &role in roles.iter().filter(|role| role.has_symbol(image.kind)) {
            let section = local(Sym::Section(role), image.section_name(role), st::SECTION, At::Section(role));
            out.add(indices, &section);
            if let (Role::Pool(n), Kind::Relocatable) = (role, image.kind) {
                // nvlink merges the pools of functions into one bank only if relocations refer to
                // variables in them.
                let text = &image.texts[n];
                let pool =
                    local(Sym::Pool(text.def), format!("{}{POOL}", text.name), st::CUDA_OBJECT, At::Section(role));
                let (other, size) = (st::OTHER_CONSTANT | INTERNAL, text.pool.len() as u64);
                out.add(indices, &Plan { other, size, ..pool });
            }
        }
        image.locals.iter().for_each(|plan| out.add(indices, plan));
        out.first_global = out.list.len() as u32;
        image.globals.iter().for_each(|plan| out.add(indices, plan));
        out
    }

    fn add(&mut self, indices: &FxHashMap<Role, u32>, plan: &Plan<'a>) {
        let Plan { sym, ref name, binding, kind, other, at, value, size } = *plan;
        let place = match at {
            At::Undefined => SymbolPlace::Undefined,
            At::Common => SymbolPlace::Reserved(SHN_COMMON),
            At::Section(role) => SymbolPlace::Section(indices.get(&role).copied().unwrap_or(0)),
        };
        self.numbers.insert(sym, self.list.len() as u32);
        self.list.push(Symbol { name: name.clone(), binding, kind, other, place, value, size });
    }

    /// The number of a symbol, 0 if it does not exist.
    pub(super) fn number(&self, sym: Sym<'a>) -> u32 {
        self.numbers.get(&sym).copied().unwrap_or(0)
    }
}
