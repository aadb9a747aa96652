//! Reads and writes of memories.
//!
//! A memory is accessed in pieces of at most four bytes. A read looks through writes that cannot
//! touch its bytes, and takes the value of one that writes just these; writes to addresses that are
//! known apart are kept in the order of their addresses, so that the order in which they were made
//! does not matter.
//!
//! Assumption, as in PTX: an access whose address is that of a variable or symbol plus something
//! stays inside that variable or symbol.

use smallvec::SmallVec;

use super::{Bank, Class, Kind, Node, Sort, Term, ones};

/// Most writes that a read or a write looks through.
const STEPS: usize = 400;

/// Deepest nesting of choices between memories that a read is split by.
const SPLITS: usize = 6;

/// The bytes of a piece.
const PIECE: u16 = 4;

impl Bank {
    /// The bits of addresses of a memory.
    fn address_bits(&self, memory: Term) -> u16 {
        match self.sort(memory) {
            Sort::Memory(bits) => bits,
            Sort::Bits(_) | Sort::World => 0,
        }
    }

    /// The bytes from an address on, as one value.
    pub fn read(&mut self, memory: Term, address: Term, bytes: u16) -> Term {
        let mut value = None;
        for (at, size) in pieces(bytes) {
            let address = self.plus(address, u128::from(at));
            let piece = self.read_piece(memory, address, size * 8);
            value = Some(value.map_or(piece, |low| self.concat(piece, low)));
        }
        value.unwrap_or(memory)
    }

    /// The memory with a value written from an address on.
    pub fn write(&mut self, memory: Term, address: Term, value: Term) -> Term {
        let mut memory = memory;
        for (at, size) in pieces(self.bits(value) / 8) {
            let address = self.plus(address, u128::from(at));
            let piece = self.extract(value, at * 8, size * 8);
            memory = self.write_piece(memory, address, piece);
        }
        memory
    }

    /// Reads a piece of at most four bytes.
    pub(super) fn read_piece(&mut self, memory: Term, address: Term, bits: u16) -> Term {
        self.read_split(memory, address, bits, SPLITS)
    }

    fn read_split(&mut self, memory: Term, address: Term, bits: u16, splits: usize) -> Term {
        if let Some(&t) = self.reads.get(&(memory, address, bits)) {
            return t;
        }
        let t = self.read_through(memory, address, bits, splits);
        self.reads.insert((memory, address, bits), t);
        t
    }

    fn read_through(&mut self, memory: Term, address: Term, bits: u16, splits: usize) -> Term {
        let mut at = memory;
        for _ in 0..STEPS {
            let Node::Write(inner, to, value) = *self.node(at) else { break };
            let size = self.bits(value);
            if to == address && size == bits {
                return value;
            }
            match self.distance(to, address, at) {
                Some(delta) if delta >= 0 && delta * 8 + i128::from(bits) <= i128::from(size) => {
                    return self.extract(value, delta as u16 * 8, bits);
                }
                _ if self.apart(to, size / 8, address, bits / 8, at) => at = inner,
                _ => break,
            }
        }
        if let Node::Op(Kind::Ite, x) = self.node(at).clone()
            && splits > 0
        {
            let yes = self.read_split(x[1], address, bits, splits - 1);
            let no = self.read_split(x[2], address, bits, splits - 1);
            return self.ite(x[0], yes, no);
        }
        self.intern(Node::Read(at, address), Sort::Bits(bits))
    }

    /// Writes a piece of at most four bytes.
    pub(super) fn write_piece(&mut self, memory: Term, address: Term, value: Term) -> Term {
        let bytes = self.bits(value) / 8;
        // The writes that the new one is sorted into, the latest first.
        let mut passed: SmallVec<[(Term, Term); 4]> = SmallVec::new();
        let mut at = memory;
        for _ in 0..STEPS {
            let Node::Write(inner, to, old) = *self.node(at) else { break };
            let size = self.bits(old) / 8;
            if to == address && size == bytes {
                // Overwritten; what was written since is apart from it.
                let sort = self.sort(inner);
                let first = self.intern(Node::Write(inner, address, value), sort);
                return passed
                    .iter()
                    .rev()
                    .fold(first, |memory, &(to, old)| self.intern(Node::Write(memory, to, old), sort));
            }
            if !self.apart(to, size, address, bytes, at) {
                break;
            }
            passed.push((to, old));
            at = inner;
        }
        // Of the writes that it may pass, it passes those with a greater address.
        let mut memory = memory;
        let mut since: SmallVec<[(Term, Term); 4]> = SmallVec::new();
        let key = self.order_key(address);
        for &(to, old) in &passed {
            if self.order_key(to) <= key {
                break;
            }
            let Node::Write(inner, ..) = *self.node(memory) else { break };
            since.push((to, old));
            memory = inner;
        }
        let sort = self.sort(memory);
        memory = self.intern(Node::Write(memory, address, value), sort);
        for &(to, old) in since.iter().rev() {
            memory = self.intern(Node::Write(memory, to, old), sort);
        }
        memory
    }

    fn order_key(&self, address: Term) -> (SmallVec<[(Term, u128); 2]>, u128) {
        self.parts(address)
    }

    /// How far the second address lies behind the first, if that is a constant.
    fn distance(&self, from: Term, to: Term, memory: Term) -> Option<i128> {
        let bits = self.address_bits(memory);
        let ((a, x), (b, y)) = (self.parts(from), self.parts(to));
        (a == b).then(|| super::signed(y.wrapping_sub(x) & ones(bits), bits))
    }

    /// Whether two accesses share no byte.
    fn apart(&self, a: Term, a_bytes: u16, b: Term, b_bytes: u16, memory: Term) -> bool {
        if let Some(delta) = self.distance(a, b, memory) {
            return delta >= i128::from(a_bytes) || delta + i128::from(b_bytes) <= 0;
        }
        match (self.base(a), self.base(b)) {
            (Some((_, Class::Dynamic)), Some((_, Class::Dynamic))) => false,
            (Some((x, p)), Some((y, q))) => {
                let symbols = |c| c == Class::Symbol;
                x != y && symbols(p) == symbols(q)
            }
            _ => false,
        }
    }

    /// The only variable or symbol that an address points into.
    pub fn base(&self, address: Term) -> Option<(Term, Class)> {
        let (parts, _) = self.parts(address);
        let mut found = parts.iter().filter_map(|&(t, n)| self.apart.get(&t).map(|&class| (t, class, n)));
        match (found.next(), found.next()) {
            (Some((t, class, 1)), None) => Some((t, class)),
            _ => None,
        }
    }
}

/// The pieces of an access: where each begins, and its size.
fn pieces(bytes: u16) -> impl Iterator<Item = (u16, u16)> {
    (0..bytes).step_by(usize::from(PIECE)).map(move |at| (at, PIECE.min(bytes - at)))
}
