//! The references between functions and variables of a module, and what a kernel reaches.

use crate::program::Module;
use raddle_diag::Diags;
use raddle_ptx::{Body, FuncId, GlobalId, List, Op, Operand, Referent, Space, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// The references of a function, or of the initial value of a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// Functions called by name.
    pub calls: BTreeSet<FuncId>,
    /// Functions whose address is taken.
    pub addresses: BTreeSet<FuncId>,
    /// Variables of the module.
    pub globals: BTreeSet<GlobalId>,
}

/// A module with the references of its parts.
pub(super) struct Graph {
    /// The bodies of all functions that have one.
    pub bodies: BTreeMap<FuncId, Body>,
    /// References of functions.
    pub funcs: BTreeMap<FuncId, Names>,
    /// References of initial values; only those that have any.
    pub data: BTreeMap<GlobalId, Names>,
}

impl Graph {
    /// Reads all bodies of a module. Errors go to `diags`.
    pub fn new(module: &Module, diags: &mut Diags) -> Graph {
        let outline = &module.outline;
        let (mut bodies, mut funcs, mut data) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for (id, func) in outline.funcs.iter() {
            let mut names = Names::default();
            if func.body.is_some() {
                let body = raddle_ptx::parse_body(&module.text, module.file, outline, id, diags);
                names = of_body(module, &body);
                bodies.insert(id, body);
            }
            funcs.insert(id, names);
        }
        // An alias makes one function with two names: both stay together.
        for (new, old) in &outline.aliases {
            let both = [new, old].into_iter().filter_map(|name| outline.func(name));
            for id in both.clone() {
                funcs.entry(id).or_default().addresses.extend(both.clone());
            }
        }
        for id in outline.globals.keys() {
            // The program has reported their errors.
            let Ok(Some(contents)) = raddle_ptx::parse_init(&module.text, outline, id) else { continue };
            let mut names = Names::default();
            names.add_symbols(module, contents.addresses.iter().map(|address| &*address.symbol));
            if names != Names::default() {
                data.insert(id, names);
            }
        }
        Graph { bodies, funcs, data }
    }

    /// The functions reached from these by calls and by addresses in code, including themselves.
    pub fn reached(&self, from: impl IntoIterator<Item = FuncId>) -> BTreeSet<FuncId> {
        let mut work: Vec<FuncId> = from.into_iter().collect();
        let mut seen: BTreeSet<FuncId> = work.iter().copied().collect();
        while let Some(id) = work.pop() {
            let Some(names) = self.funcs.get(&id) else { continue };
            work.extend(names.calls.union(&names.addresses).filter(|&&id| seen.insert(id)));
        }
        seen
    }

    /// The variables that these functions refer to.
    pub fn globals(&self, funcs: &BTreeSet<FuncId>) -> BTreeSet<GlobalId> {
        funcs.iter().filter_map(|id| self.funcs.get(id)).flat_map(|names| names.globals.iter().copied()).collect()
    }

    /// These variables and all that their initial values reach.
    pub fn with_contents(&self, globals: BTreeSet<GlobalId>) -> BTreeSet<GlobalId> {
        let mut work: Vec<GlobalId> = globals.iter().copied().collect();
        let mut seen = globals;
        while let Some(id) = work.pop() {
            let named = self.data.get(&id).into_iter().flat_map(|names| names.globals.iter().copied());
            work.extend(named.filter(|&id| seen.insert(id)));
        }
        seen
    }

    /// Whether a function has memory that outlives a launch: two copies would have two instances of
    /// it.
    pub fn has_state(&self, id: FuncId) -> bool {
        self.bodies.get(&id).is_some_and(|body| body.vars.values().any(|var| var.space == Space::Global))
    }
}

impl Names {
    fn add_symbols<'a>(&mut self, module: &Module, symbols: impl Iterator<Item = &'a str>) {
        for symbol in symbols {
            match module.outline.symbol(symbol) {
                Some(Symbol::Func(id)) => drop(self.addresses.insert(id)),
                Some(Symbol::Global(id)) => drop(self.globals.insert(id)),
                None => {}
            }
        }
    }
}

fn of_body(module: &Module, body: &Body) -> Names {
    let mut names = Names::default();
    let referents = body.syms.values().map(|sym| sym.referent);
    names.globals.extend(referents.filter_map(|referent| match referent {
        Referent::Global(id) => Some(id),
        _ => None,
    }));
    let func = |sym| match body.syms[sym].referent {
        Referent::Func(id) => Some(id),
        _ => None,
    };
    for inst in body.insts.keys() {
        let mut open: Vec<Operand> = body.operands(inst).to_vec();
        if body.op(inst) == Op::Call
            && let Some(&Operand::Func(sym)) = open.get(1)
        {
            names.calls.extend(func(sym));
            open.remove(1);
        }
        while let Some(operand) = open.pop() {
            match operand {
                Operand::Func(sym) | Operand::Symbol(sym, _) => names.addresses.extend(func(sym)),
                Operand::Vec(list) | Operand::Bracket(list) | Operand::Args(list) => members(body, list, &mut open),
                _ => {}
            }
        }
    }
    let targets = body.targets.values().flat_map(|targets| targets.funcs.iter().copied());
    names.addresses.extend(targets.filter_map(func));
    for (var, _) in &body.inits {
        if let Ok(Some(contents)) = raddle_ptx::parse_body_init(body, *var) {
            names.add_symbols(module, contents.addresses.iter().map(|address| &*address.symbol));
        }
    }
    names
}

fn members(body: &Body, list: List, open: &mut Vec<Operand>) {
    open.extend(body.list(list));
}
