//! Relations over at most 64 events, as bit sets.

/// A relation. `rows[a]` has bit `b` if a is related to b.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation(Vec<u64>);

/// The numbers of the bits of a set, from the lowest.
pub fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let low = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(low)
    })
}

impl Relation {
    /// The empty relation over some events.
    pub fn empty(events: usize) -> Relation {
        Relation(vec![0; events])
    }

    /// Relates a to b.
    pub fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    /// Relates a to a set.
    pub fn add_all(&mut self, a: usize, set: u64) {
        self.0[a] |= set;
    }

    /// Whether a is related to b.
    pub fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 != 0
    }

    /// The events that a is related to.
    pub fn of(&self, a: usize) -> u64 {
        self.0[a]
    }

    /// The events that members of `set` are related to.
    pub fn image(&self, set: u64) -> u64 {
        members(set).fold(0, |all, a| all | self.0[a])
    }

    /// Makes it transitive.
    pub fn close(&mut self) {
        for middle in 0..self.0.len() {
            let further = self.0[middle];
            for row in &mut self.0 {
                if *row >> middle & 1 != 0 {
                    *row |= further;
                }
            }
        }
    }

    /// Whether no event is related to itself.
    pub fn irreflexive(&self) -> bool {
        (0..self.0.len()).all(|a| !self.has(a, a))
    }

    /// Whether it has no cycles.
    pub fn acyclic(&self) -> bool {
        let mut closed = self.clone();
        closed.close();
        closed.irreflexive()
    }
}
