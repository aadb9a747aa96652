//! Serialises the object of a unit.
//!
//! Little-endian numbers, lists with their length first, enums by number; nothing else. Fields are
//! listed once per record, and a record that gets another field does not compile until it is listed
//! here. The format needs no version: the key of an entry includes the build that wrote it.
//!
//! **Invariant.** Reading never panics, and never allocates more than the given bytes can fill.

use raddle_cubin::info::{self, Attribute};
use raddle_cubin::unit::{
    ConstantPool, CoopGroup, DataObject, DebugPlaces, Definition, Entry, FrameRule, FrameStep, Function,
    IndirectBranch, InstructionMarks, LineRow, Lines, Linkage, Local, Param, Part, RegisterRange, RelocKind,
    Relocation, SharedArea, SourceFile, SourcePlace, Space, SymbolId, Symbols, UnitObject,
};

/// A type that can be written and read.
pub(crate) trait Wire: Sized {
    /// Appends the encoded value.
    fn put(&self, out: &mut Vec<u8>);
    /// Decodes a value from the front of `bytes`; `None` if they are malformed.
    fn get(bytes: &mut &[u8]) -> Option<Self>;

    /// Appends the encoded values of a list.
    fn put_all(list: &[Self], out: &mut Vec<u8>) {
        list.iter().for_each(|item| item.put(out));
    }

    /// Decodes this many values, at most as many as there are bytes.
    fn get_all(count: usize, bytes: &mut &[u8]) -> Option<Vec<Self>> {
        let mut list = Vec::with_capacity(count.min(1 << 16));
        for _ in 0..count {
            list.push(Self::get(bytes)?);
        }
        Some(list)
    }
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Wire for $type {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn get(bytes: &mut &[u8]) -> Option<$type> {
                let (first, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(<$type>::from_le_bytes(*first))
            }
        }
    )*};
}

macro_rules! records {
    ($($type:ident { $($field:ident)* })*) => {$(
        impl Wire for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let $type { $($field),* } = self;
                $($field.put(out);)*
            }
            fn get(bytes: &mut &[u8]) -> Option<$type> {
                $(let $field = Wire::get(bytes)?;)*
                Some($type { $($field),* })
            }
        }
    )*};
}

macro_rules! choices {
    ($($type:ident { $($name:ident)* })*) => {$(
        impl Wire for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let number = Self::ALL.iter().position(|one| one == self).unwrap_or(usize::MAX);
                (number as u8).put(out);
                // The compiler reports a variant that is missing from the list.
                match self { $($type::$name => (),)* }
            }
            fn get(bytes: &mut &[u8]) -> Option<$type> {
                Self::ALL.get(usize::from(u8::get(bytes)?)).copied()
            }
        }
        impl All for $type {
            const ALL: &'static [$type] = &[$($type::$name),*];
        }
    )*};
}

/// All values of an enum, in the order of their numbers.
trait All: Sized + 'static {
    const ALL: &'static [Self];
}

numbers! { u16 u32 u64 i64 }

impl Wire for u8 {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn get(bytes: &mut &[u8]) -> Option<u8> {
        bytes.split_off_first().copied()
    }

    fn put_all(list: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(list);
    }

    fn get_all(count: usize, bytes: &mut &[u8]) -> Option<Vec<u8>> {
        bytes.split_off(..count).map(<[u8]>::to_vec)
    }
}

records! {
    UnitObject { module symbols functions data types }
    Function {
        name linkage entry code padded relocations parts registers barriers frame_size stack_size spill_bytes constants
        shared callees indirect aliases marks lines debug unwind
    }
    Entry {
        params many_params max_threads required_threads min_ctas max_registers cluster max_cluster_rank explicit_cluster
    }
    Param { offset size log_align space bound }
    Part { name offset size frame_size }
    ConstantPool { bytes align relocations }
    SharedArea { size align dynamic }
    InstructionMarks {
        exits coop_group warp_wide s2r_ctaid ctaid_z syscalls indirect_branches mbarriers mbarrier_count unused_load_bytes
        sparse_mma reserved_shared uses_wmma uses_convergence reg_reconfig atom16 isa_class tensormap samplers grid_dependency
        opaque
    }
    CoopGroup { offset mask }
    IndirectBranch { offset targets }
    DebugPlaces { labels locals symbols registers }
    RegisterRange { name kind part register from to }
    Local { name offset relative_to_sp }
    Lines { rows places files }
    LineRow { offset place ptx_line }
    SourcePlace { file line column inlined }
    SourceFile { path stamp }
    FrameStep { offset rule }
    DataObject { name space linkage definition align relocations managed }
    Relocation { offset kind symbol addend }
}

choices! {
    Linkage { Unit Module Visible Weak Common }
    Space { Global Const Shared }
    RelocKind {
        Abs64 Generic64 Abs32Lo Abs32Hi AddressSlot AddressSlotImm ConstOffset ConstOffsetImm SharedImm SharedOffset CallRel
        CallAbs PoolOffset TextureWord SamplerWord SurfaceWord RowSize CodeOffset32
        TextureIndex SurfaceIndex TextureWordImm SamplerWordImm SurfaceWordImm
        AbsByte0 AbsByte1 AbsByte2 AbsByte3 AbsByte4 AbsByte5 AbsByte6 AbsByte7
        GenericByte0 GenericByte1 GenericByte2 GenericByte3 GenericByte4 GenericByte5 GenericByte6 GenericByte7
    }
}

impl Wire for bool {
    fn put(&self, out: &mut Vec<u8>) {
        u8::from(*self).put(out);
    }

    fn get(bytes: &mut &[u8]) -> Option<bool> {
        match u8::get(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Wire for Attribute {
    fn put(&self, out: &mut Vec<u8>) {
        info::write(std::slice::from_ref(self)).put(out);
    }

    fn get(bytes: &mut &[u8]) -> Option<Attribute> {
        let mut list = info::read(&Vec::<u8>::get(bytes)?).ok()?;
        list.pop().filter(|_| list.is_empty())
    }
}

impl Wire for SymbolId {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn get(bytes: &mut &[u8]) -> Option<SymbolId> {
        u32::get(bytes).map(SymbolId)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        T::put_all(self, out);
    }

    fn get(bytes: &mut &[u8]) -> Option<Vec<T>> {
        let count = usize::try_from(u64::get(bytes)?).ok()?;
        // Every item takes at least one byte: a larger length is damage and must not be allocated.
        if count > bytes.len() { None } else { T::get_all(count, bytes) }
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn get(bytes: &mut &[u8]) -> Option<Option<T>> {
        if bool::get(bytes)? { T::get(bytes).map(Some) } else { Some(None) }
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn get(bytes: &mut &[u8]) -> Option<(A, B)> {
        Some((A::get(bytes)?, B::get(bytes)?))
    }
}

impl<const N: usize> Wire for [u32; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.put(out));
    }

    fn get(bytes: &mut &[u8]) -> Option<[u32; N]> {
        let mut array = [0; N];
        for item in &mut array {
            *item = u32::get(bytes)?;
        }
        Some(array)
    }
}

impl Wire for Definition {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Definition::Bytes(bytes) => {
                out.push(0);
                bytes.put(out);
            }
            Definition::Zero(size) => (1_u8, *size).put(out),
            Definition::Extern(size) => (2_u8, *size).put(out),
        }
    }

    fn get(bytes: &mut &[u8]) -> Option<Definition> {
        match u8::get(bytes)? {
            0 => Some(Definition::Bytes(Vec::get(bytes)?)),
            1 => Some(Definition::Zero(u64::get(bytes)?)),
            2 => Some(Definition::Extern(u64::get(bytes)?)),
            _ => None,
        }
    }
}

impl Wire for FrameRule {
    fn put(&self, out: &mut Vec<u8>) {
        let (number, register, base, offset): (u8, u8, u8, u32) = match *self {
            FrameRule::Frame { base, offset } => (0, 0, base, offset),
            FrameRule::FrameIn { base, offset } => (1, 0, base, offset),
            FrameRule::Saved { register, base, offset } => (2, register, base, offset),
            FrameRule::Restored { register } => (3, register, 0, 0),
            FrameRule::Remember => (4, 0, 0, 0),
            FrameRule::Recall => (5, 0, 0, 0),
        };
        ((number, register), (base, offset)).put(out);
    }

    fn get(bytes: &mut &[u8]) -> Option<FrameRule> {
        let ((number, register), (base, offset)) = <((u8, u8), (u8, u32))>::get(bytes)?;
        Some(match number {
            0 => FrameRule::Frame { base, offset },
            1 => FrameRule::FrameIn { base, offset },
            2 => FrameRule::Saved { register, base, offset },
            3 => FrameRule::Restored { register },
            4 => FrameRule::Remember,
            5 => FrameRule::Recall,
            _ => return None,
        })
    }
}

impl Wire for String {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn get(bytes: &mut &[u8]) -> Option<String> {
        String::from_utf8(Vec::get(bytes)?).ok()
    }
}

impl Wire for Symbols {
    fn put(&self, out: &mut Vec<u8>) {
        let names = (0..self.len() as u32).filter_map(|id| self.name(SymbolId(id)));
        names.map(str::to_string).collect::<Vec<String>>().put(out);
    }

    fn get(bytes: &mut &[u8]) -> Option<Symbols> {
        let mut symbols = Symbols::default();
        for (index, name) in Vec::<String>::get(bytes)?.into_iter().enumerate() {
            // A duplicate name would shift all names after it.
            if symbols.intern(&name) != SymbolId(index as u32) {
                return None;
            }
        }
        Some(symbols)
    }
}
