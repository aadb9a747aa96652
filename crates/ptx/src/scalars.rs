//! Splits vector registers into scalars.
//!
//! Problem: `.reg .v4 .f32 v;` declares four values under one name. It is used as a whole
//! (`ld.global.v4.f32 v, [a]`) or by component (`v.x`), but later stages need single values.
//! Strategy: a copy of the body in which every component is a separate register: a component
//! becomes that register, the whole a list of them, as in `{a, b, c, d}`.
//!
//! Invariants: instructions, labels, symbols and places keep their numbers; a body without vector
//! registers is not copied.

use crate::body::{Body, Tag, Word};
use crate::tree::{Guard, PackedGuard, Reg};

impl Body {
    /// The same body without vector registers; `None` if it has none.
    pub fn scalarized(&self) -> Option<Body> {
        if self.groups.values().all(|group| group.width == 1) {
            return None;
        }
        let mut split = Split { body: self.clone(), first: Vec::with_capacity(self.regs as usize) };
        let mut next = 0;
        for group in split.body.groups.values_mut() {
            let (width, len) = (u32::from(group.width), group.len());
            group.first = Reg::from_u32(next);
            if width > 1 {
                group.count = Some(len * width);
                group.width = 1;
            }
            for _ in 0..len {
                split.first.push((next, width));
                next += width;
            }
        }
        split.body.regs = next;
        for id in self.insts.keys() {
            let words: Vec<Word> = self.operand_words(id).iter().map(|&word| split.member_or_list(word)).collect();
            let guard = self.insts[id].guard().map(|g| Guard { reg: split.renamed(g.reg.as_u32()), ..g });
            let first = split.push(&words);
            let inst = &mut split.body.insts[id];
            inst.first = first;
            inst.guard = PackedGuard::new(guard);
        }
        Some(split.body)
    }
}

/// A copy under construction: its pool is appended to the old one, which is no longer referred to.
struct Split {
    body: Body,
    /// The first new register of each old one, and the number of components.
    first: Vec<(u32, u32)>,
}

impl Split {
    fn renamed(&self, reg: u32) -> Reg {
        Reg::from_u32(self.first.get(reg as usize).map_or(reg, |r| r.0))
    }

    fn push(&mut self, words: &[Word]) -> u32 {
        let at = self.body.words.len() as u32;
        self.body.words.extend_from_slice(words);
        at
    }

    /// A list with its tag, and its members split.
    fn list(&mut self, tag: Tag, members: &[Word]) -> Word {
        let at = self.push(&[Word(members.len() as u32)]);
        self.push(members);
        Word::new(tag, at)
    }

    /// An operand of an instruction. Lists are nested at most once: the coordinates of a texture.
    fn member_or_list(&mut self, word: Word) -> Word {
        match word.tag() {
            tag @ (Tag::Vec | Tag::Bracket | Tag::Args) => {
                let members: Vec<Word> = self.pool(word).iter().map(|&member| self.inner(member)).collect();
                self.list(tag, &members)
            }
            _ => self.member(word),
        }
    }

    fn inner(&mut self, word: Word) -> Word {
        match word.tag() {
            tag @ (Tag::Vec | Tag::Bracket | Tag::Args) => {
                let members: Vec<Word> = self.pool(word).iter().map(|&member| self.member(member)).collect();
                self.list(tag, &members)
            }
            _ => self.member(word),
        }
    }

    /// The members of a list.
    fn pool(&self, word: Word) -> Vec<Word> {
        let at = word.payload() as usize;
        self.body.words[at + 1..][..self.body.words[at].0 as usize].to_vec()
    }

    /// An operand that is not a list, with its registers renamed.
    fn member(&mut self, word: Word) -> Word {
        let at = word.payload() as usize;
        let pooled = |split: &Self, n: usize| split.body.words[at + n].0;
        match word.tag() {
            Tag::Reg => match self.first.get(at) {
                Some(&(first, width)) if width > 1 => {
                    let members: Vec<Word> = (first..first + width).map(|reg| Word::new(Tag::Reg, reg)).collect();
                    self.list(Tag::Vec, &members)
                }
                _ => Word::new(Tag::Reg, self.renamed(word.payload()).as_u32()),
            },
            tag @ (Tag::NotPred | Tag::Neg | Tag::AddrReg) => Word::new(tag, self.renamed(word.payload()).as_u32()),
            Tag::Also => match word.payload().checked_sub(1) {
                Some(reg) => Word::new(Tag::Also, self.renamed(reg).as_u32() + 1),
                None => word,
            },
            Tag::RegPart => {
                let (reg, part, minus) = (pooled(self, 0), pooled(self, 1), pooled(self, 2));
                match self.first.get(reg as usize) {
                    // A component: its number is the whole selector.
                    Some(&(first, width)) if width > 1 => {
                        Word::new(if minus == 0 { Tag::Reg } else { Tag::Neg }, first + part)
                    }
                    _ => {
                        let reg = self.renamed(reg).as_u32();
                        let at = self.push(&[Word(reg), Word(part), Word(minus)]);
                        Word::new(Tag::RegPart, at)
                    }
                }
            }
            Tag::Pair => {
                let [a, b] = [0, 1].map(|n| match pooled(self, n).checked_sub(1) {
                    Some(reg) => Word(self.renamed(reg).as_u32() + 1),
                    None => Word(0),
                });
                let at = self.push(&[a, b]);
                Word::new(Tag::Pair, at)
            }
            tag @ (Tag::AddrRegOff | Tag::Sum) => {
                let reg = self.renamed(pooled(self, 0)).as_u32();
                let at = self.push(&[Word(reg), Word(pooled(self, 1)), Word(pooled(self, 2))]);
                Word::new(tag, at)
            }
            _ => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::InstId;
    use raddle_diag::{Diags, FileId};

    fn body(statements: &str) -> crate::Body {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{{\n{statements}\nret;\n}}\n"
        );
        let mut diags = Diags::new();
        let outline = crate::outline(&text, FileId::FIRST, &mut diags);
        let (func, _) = outline.kernels().next().unwrap();
        let body = crate::parse_body(&text, FileId::FIRST, &outline, func, &mut diags);
        assert!(!diags.has_errors());
        body
    }

    #[test]
    fn components_and_wholes_become_registers_and_lists() {
        let body = body(
            ".reg .f32 %f<2>; .reg .v4 .f32 V; .reg .pred %p; .reg .b64 %rd<2>; .reg .v2 .b32 W<2>;\n\
             @%p mov.f32 V.z, %f1;\nst.global.v4.f32 [%rd1+16], V;\n@!%p mov.b32 W1.y, W0.x;\nmov.b64 %rd0, {W1.x, W1.y};",
        );
        let split = body.scalarized().unwrap();
        assert_eq!(split.reg_count(), 2 + 4 + 1 + 2 + 4);
        let print = |n| split.print_inst(InstId::from_u32(n));
        assert_eq!(print(0), "@%p mov.f32 V2, %f1");
        assert_eq!(print(1), "st.global.v4.f32 [%rd1+16], {V0, V1, V2, V3}");
        assert_eq!(print(2), "@!%p mov.b32 W3, W0");
        assert_eq!(print(3), "mov.b64 %rd0, {W2, W3}");
    }

    #[test]
    fn a_body_of_scalars_is_left_alone() {
        assert!(body(".reg .b32 %r<4>;\nmov.b32 %r1, %r2;").scalarized().is_none());
    }
}
