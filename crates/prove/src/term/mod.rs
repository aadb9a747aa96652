//! Terms of bit vectors and memories, each kept once.
//!
//! Problem: most of what a pass leaves alone, and much of what it changes, is equal by the laws of
//! sums and by cutting bits out of bits; a solver asked about all of it would take hours. Strategy:
//! terms are hash-consed, and their constructors ([`build`], [`compare`], [`memory`]) put them in a normal form
//! (sums of multiples, concatenations of pieces, writes in the order of their addresses), so that
//! equal terms are mostly the same [`Term`], and a solver sees the rest only.
//!
//! Invariant: every rewriting of a constructor holds for all values, in the semantics of SMT-LIB's
//! bit vectors. The tests evaluate terms before and after.

mod bounds;
mod build;
mod compare;
mod divide;
pub mod memory;
#[cfg(test)]
mod tests;

use raddle_entity::FxHashMap;
use smallvec::SmallVec;

/// A term of a [`Bank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

impl Term {
    /// Its number in the bank.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// A number of bits, at most 128.
    Bits(u16),
    /// Bytes, by addresses of this many bits.
    Memory(u16),
    /// Everything that the outside has seen of a thread: the effects so far, in order.
    World,
}

/// An operation on bits, as in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Product.
    Mul,
    /// Quotient, unsigned; all ones by zero.
    UDiv,
    /// Remainder, unsigned.
    URem,
    /// Quotient, signed, towards zero.
    SDiv,
    /// Remainder with the sign of the dividend.
    SRem,
    /// Conjunction of bits.
    And,
    /// Disjunction of bits.
    Or,
    /// Exclusive or of bits.
    Xor,
    /// Complement.
    Not,
    /// Shift to the left.
    Shl,
    /// Shift to the right, with zeros.
    LShr,
    /// Shift to the right, with the sign.
    AShr,
    /// The first operand above the second.
    Concat,
    /// The bits from this one on, as many as the result has.
    Extract(u16),
    /// Extension by the sign.
    SignExt,
    /// Less, unsigned; one bit.
    Ult,
    /// Less, signed; one bit.
    Slt,
    /// Equality; one bit.
    Eq,
    /// The second operand if the first, a bit, is one, else the third; of any sort.
    Ite,
}

/// A term with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Const(u128),
    /// A variable, by its number in the bank.
    Var(u32),
    /// A sum of terms times factors, sorted by term, plus a constant.
    Sum(SmallVec<[(Term, u128); 2]>, u128),
    /// An operation.
    Op(Kind, SmallVec<[Term; 3]>),
    /// A function about which nothing is known but its name.
    Apply(u32, SmallVec<[Term; 3]>),
    /// The bytes of a memory from an address on, the lowest first; as many as the result has.
    Read(Term, Term),
    /// A memory with the bytes of a value written from an address on.
    Write(Term, Term, Term),
}

/// All terms.
#[derive(Default)]
pub struct Bank {
    nodes: Vec<(Node, Sort)>,
    index: FxHashMap<(Node, Sort), Term>,
    names: Vec<String>,
    name_index: FxHashMap<String, u32>,
    extracts: FxHashMap<(Term, u16, u16), Term>,
    reads: FxHashMap<(Term, Term, u16), Term>,
    bounds: FxHashMap<Term, u128>,
    /// Variables that are addresses of program variables or symbols: an access from one of these
    /// does not reach another of the same class.
    apart: FxHashMap<Term, Class>,
}

/// What an address variable points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A variable of the function in shared or local memory.
    Variable,
    /// Dynamic shared memory: such variables may overlap.
    Dynamic,
    /// A symbol outside the function.
    Symbol,
}

/// All ones in this many bits.
pub fn ones(bits: u16) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The bits of a value as a signed number.
pub fn signed(value: u128, bits: u16) -> i128 {
    let shift = 128 - u32::from(bits);
    ((value << shift) as i128) >> shift
}

impl Bank {
    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&t) = self.index.get(&(node.clone(), sort)) {
            return t;
        }
        let t = Term(self.nodes.len() as u32);
        self.nodes.push((node.clone(), sort));
        self.index.insert((node, sort), t);
        t
    }

    /// The term's operation and operands.
    pub fn node(&self, t: Term) -> &Node {
        &self.nodes[t.index()].0
    }

    /// What the term denotes.
    pub fn sort(&self, t: Term) -> Sort {
        self.nodes[t.index()].1
    }

    /// How many bits the term has; 0 if it is none.
    pub fn bits(&self, t: Term) -> u16 {
        match self.sort(t) {
            Sort::Bits(bits) => bits,
            Sort::Memory(_) | Sort::World => 0,
        }
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value of a constant.
    pub fn constant(&self, t: Term) -> Option<u128> {
        match self.node(t) {
            Node::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// The name of a variable or function.
    pub fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// Whether the term is the variable of this name.
    pub fn is_named(&self, t: Term, name: &str) -> bool {
        matches!(self.node(t), Node::Var(number) if self.name(*number) == name)
    }

    fn named(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.name_index.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.name_index.insert(name.to_owned(), number);
        number
    }

    /// The variable of this name.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        let number = self.named(name);
        self.intern(Node::Var(number), sort)
    }

    /// The address variable of this name.
    pub fn address(&mut self, name: &str, bits: u16, class: Class) -> Term {
        let t = self.var(name, Sort::Bits(bits));
        self.apart.insert(t, class);
        t
    }

    /// The result of an unknown function of this name; equal operands give equal results.
    pub fn apply(&mut self, name: &str, args: &[Term], sort: Sort) -> Term {
        let number = self.named(name);
        self.intern(Node::Apply(number, SmallVec::from_slice(args)), sort)
    }

    /// The operands of a term.
    pub fn operands(&self, t: Term) -> SmallVec<[Term; 4]> {
        match self.node(t) {
            Node::Const(_) | Node::Var(_) => SmallVec::new(),
            Node::Sum(parts, _) => parts.iter().map(|p| p.0).collect(),
            Node::Op(_, args) | Node::Apply(_, args) => args.iter().copied().collect(),
            Node::Read(m, a) => SmallVec::from_slice(&[*m, *a]),
            Node::Write(m, a, v) => SmallVec::from_slice(&[*m, *a, *v]),
        }
    }

    /// All terms that these consist of, operands before what uses them.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<Term> = roots.to_vec();
        while let Some(t) = stack.pop() {
            if !std::mem::replace(&mut seen[t.index()], true) {
                stack.extend(self.operands(t));
            }
        }
        // An operand is older than what uses it.
        (0..self.nodes.len()).filter(|&n| seen[n]).map(|n| Term(n as u32)).collect()
    }

    /// The term with operands replaced: variables by what the map says, all else built again.
    pub fn replace(&mut self, t: Term, map: &FxHashMap<Term, Term>, memo: &mut FxHashMap<Term, Term>) -> Term {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            let waiting: Vec<Term> = self.operands(top).into_iter().filter(|a| !memo.contains_key(a)).collect();
            if !waiting.is_empty() {
                stack.extend(waiting);
                continue;
            }
            let new = map.get(&top).copied().unwrap_or_else(|| self.rebuilt(top, memo));
            memo.insert(top, new);
            stack.pop();
        }
        memo[&t]
    }

    fn rebuilt(&mut self, t: Term, memo: &FxHashMap<Term, Term>) -> Term {
        let (node, sort) = self.nodes[t.index()].clone();
        let bits = self.bits(t);
        match node {
            Node::Const(_) | Node::Var(_) => t,
            Node::Sum(parts, c) => {
                let parts: Vec<(Term, u128)> = parts.iter().map(|p| (memo[&p.0], p.1)).collect();
                self.sum(&parts, c, bits)
            }
            Node::Op(kind, args) => {
                let args: SmallVec<[Term; 3]> = args.iter().map(|a| memo[a]).collect();
                self.op(kind, &args, bits)
            }
            Node::Apply(name, args) => {
                let args = args.iter().map(|a| memo[a]).collect();
                self.intern(Node::Apply(name, args), sort)
            }
            Node::Read(m, a) => self.read_piece(memo[&m], memo[&a], bits),
            Node::Write(m, a, v) => self.write_piece(memo[&m], memo[&a], memo[&v]),
        }
    }

    /// Builds an operation by its constructor; `bits` matters for cuts and extensions.
    pub fn op(&mut self, kind: Kind, a: &[Term], bits: u16) -> Term {
        match kind {
            Kind::Mul => self.mul(a[0], a[1]),
            Kind::UDiv | Kind::URem | Kind::SDiv | Kind::SRem => self.quotient(kind, a[0], a[1]),
            Kind::And => self.and(a[0], a[1]),
            Kind::Or => self.or(a[0], a[1]),
            Kind::Xor => self.xor(a[0], a[1]),
            Kind::Not => self.not(a[0]),
            Kind::Shl => self.shl(a[0], a[1]),
            Kind::LShr => self.lshr(a[0], a[1]),
            Kind::AShr => self.ashr(a[0], a[1]),
            Kind::Concat => self.concat(a[0], a[1]),
            Kind::Extract(low) => self.extract(a[0], low, bits),
            Kind::SignExt => self.sext(a[0], bits),
            Kind::Ult => self.ult(a[0], a[1]),
            Kind::Slt => self.slt(a[0], a[1]),
            Kind::Eq => self.equal(a[0], a[1]),
            Kind::Ite => self.ite(a[0], a[1], a[2]),
        }
    }
}
