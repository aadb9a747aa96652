//! Driver functions that device code calls: `vprintf`, `malloc`, `free`, `__assertfail` (PTX
//! interoperability guide, "System Calls").
//!
//! Problem: programs call them as functions without a body; interpreter and simulator must do what
//! a driver does. Strategy: both pass the argument words and access to the thread's memory, and get
//! the result words. Printed text is kept in [`crate::mem::Memory`], in the order in which threads
//! print; heap blocks are separate allocations, so that accesses beyond them and after `free` are
//! ordinary failures.
//!
//! Invariant: the same run prints the same text and returns the same addresses.

mod format;

use crate::failure::FailureKind;
use crate::mem::{Memory, Segment, Space, generic};

/// Heap size of a launch in bytes (CUDA driver API, `CU_LIMIT_MALLOC_HEAP_SIZE`).
const HEAP: u64 = 8 << 20;
/// Most bytes of a printed text or a format, without its end; longer ones are truncated (CUDA C++
/// programming guide: the buffer of `printf` is finite, too).
const LONGEST: usize = 1 << 16;

/// A driver function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// `int vprintf(const char *format, void *arguments)`
    Vprintf,
    /// `void *malloc(size_t size)`
    Malloc,
    /// `void free(void *memory)`
    Free,
    /// `void __assertfail(const char *message, const char *file, unsigned line, const char
    /// *function, size_t size_of_char)`
    AssertFail,
}

impl System {
    /// All functions.
    pub const ALL: [System; 4] = [System::Vprintf, System::Malloc, System::Free, System::AssertFail];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            System::Vprintf => "vprintf",
            System::Malloc => "malloc",
            System::Free => "free",
            System::AssertFail => "__assertfail",
        }
    }

    /// Returns the function with this name.
    pub fn by_name(name: &str) -> Option<System> {
        System::ALL.into_iter().find(|system| system.name() == name)
    }

    /// Returns the size of each parameter in bytes.
    pub fn params(self) -> &'static [u32] {
        match self {
            System::Vprintf => &[8, 8],
            System::Malloc | System::Free => &[8],
            System::AssertFail => &[8, 8, 4, 8, 8],
        }
    }

    /// Returns the size of the result in bytes; 0 without one.
    pub fn result(self) -> u32 {
        match self {
            System::Vprintf => 4,
            System::Malloc => 8,
            System::Free | System::AssertFail => 0,
        }
    }
}

/// The memory visible to a thread.
pub struct View<'a> {
    /// Global memory.
    pub mem: &'a mut Memory,
    /// Shared memory of its block, and the address of its first byte.
    pub shared: (&'a Segment, u64),
    /// Its local memory, and the address of its first byte; `None` if it has none.
    pub local: Option<(&'a Segment, u64)>,
}

impl View<'_> {
    /// Loads the bytes at a generic address; a failure if they do not exist or are undefined.
    fn load(&self, addr: u64, size: usize) -> Result<u64, FailureKind> {
        let (space, at) = generic(addr);
        let found = match space {
            Space::Global => self.mem.find(at, size).map(|(id, offset)| self.mem.alloc(id).seg.load(offset, size)),
            Space::Shared => inside(self.shared, at, size),
            Space::Local => self.local.and_then(|local| inside(local, at, size)),
        };
        match found {
            Some((word, 0)) => Ok(word as u64),
            Some(_) => Err(FailureKind::UndefinedOperand("an argument of a driver function")),
            None => {
                let near = if space == Space::Global { self.mem.describe(at) } else { String::new() };
                Err(FailureKind::OutOfBounds { access: "read", space, addr: at, size: size as u32, near })
            }
        }
    }

    /// Loads the text at an address, up to its end.
    fn text(&self, addr: u64) -> Result<Vec<u8>, FailureKind> {
        let mut out = Vec::new();
        while out.len() < LONGEST {
            match self.load(addr.wrapping_add(out.len() as u64), 1)? as u8 {
                0 => break,
                byte => out.push(byte),
            }
        }
        Ok(out)
    }

    /// Calls a function with its argument words; returns the result word.
    ///
    /// # Errors
    /// [`FailureKind::Assert`] from `__assertfail`; invalid or undefined memory;
    /// [`FailureKind::NotAllocated`] from `free`.
    pub fn call(&mut self, system: System, args: &[u64]) -> Result<u64, FailureKind> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match system {
            System::Vprintf if arg(0) == 0 => Ok(u64::from(u32::MAX)),
            System::Vprintf => {
                let format = self.text(arg(0))?;
                let mut next = arg(1);
                let mut out = Vec::new();
                let count = format::print(&format, &mut out, &mut |wanted| -> Result<_, FailureKind> {
                    match wanted {
                        format::Wanted::Bytes(size) => {
                            next = next.next_multiple_of(size as u64);
                            let word = self.load(next, size)?;
                            next += size as u64;
                            Ok(format::Given::Word(word))
                        }
                        format::Wanted::Text => {
                            next = next.next_multiple_of(8);
                            let at = self.load(next, 8)?;
                            next += 8;
                            Ok(format::Given::Text(if at == 0 { b"(null)".to_vec() } else { self.text(at)? }))
                        }
                    }
                })?;
                self.mem.traces.printed.append(&mut out);
                Ok(count.into())
            }
            System::Malloc => Ok(self.allocate(arg(0))),
            System::Free => self.release(arg(0)).map(|()| 0),
            System::AssertFail => {
                let text = |addr| self.text(addr).map(|text| String::from_utf8_lossy(&text).into_owned());
                let (message, file, function) = (text(arg(0))?, text(arg(1))?, text(arg(3))?);
                Err(FailureKind::Assert { file, line: arg(2) as u32, function, message })
            }
        }
    }

    /// Allocates heap memory; returns 0 if there is none left.
    fn allocate(&mut self, size: u64) -> u64 {
        let traces = &mut self.mem.traces;
        if size == 0 || size > HEAP - traces.used {
            return 0;
        }
        traces.used += size;
        traces.allocations += 1;
        let name = format!("allocation {} of the heap", traces.allocations);
        let id = self.mem.add_segment(name, Segment::undefined(size as usize), true);
        let base = self.mem.base(id);
        self.mem.traces.heap.insert(base, (id, size));
        base
    }

    fn release(&mut self, addr: u64) -> Result<(), FailureKind> {
        if addr == 0 {
            return Ok(());
        }
        let Some((id, size)) = self.mem.traces.heap.remove(&addr) else { return Err(FailureKind::NotAllocated(addr)) };
        self.mem.traces.used -= size;
        let alloc = self.mem.alloc_mut(id);
        alloc.name.push_str(", freed");
        alloc.seg = Segment::undefined(0);
        Ok(())
    }
}

fn inside((seg, first): (&Segment, u64), at: u64, size: usize) -> Option<(u128, u128)> {
    let offset = at.checked_sub(first).filter(|&offset| seg.contains(offset, size))?;
    Some(seg.load(offset as usize, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(mem: &mut Memory, system: System, args: &[u64]) -> Result<u64, FailureKind> {
        let none = Segment::undefined(0);
        View { mem, shared: (&none, 0), local: None }.call(system, args)
    }

    #[test]
    fn memory_of_the_heap_is_there_until_it_is_freed() {
        let mut mem = Memory::new();
        let at = call(&mut mem, System::Malloc, &[24]).unwrap();
        let other = call(&mut mem, System::Malloc, &[8]).unwrap();
        assert!(at != 0 && other != at && mem.find(at + 16, 8).is_some() && mem.find(at + 24, 1).is_none());
        assert_eq!(call(&mut mem, System::Malloc, &[HEAP]), Ok(0), "no more than there is");
        call(&mut mem, System::Free, &[at]).unwrap();
        assert!(mem.find(at, 1).is_none() && mem.describe(at).contains("freed"));
        assert_eq!(call(&mut mem, System::Free, &[at]), Err(FailureKind::NotAllocated(at)));
        assert_eq!(call(&mut mem, System::Free, &[0]), Ok(0));
        assert!(call(&mut mem, System::Malloc, &[HEAP - 8]).unwrap() != 0, "what was freed can be given again");
    }

    #[test]
    fn arguments_of_printf_lie_where_their_types_are_aligned() {
        let mut mem = Memory::new();
        let format = mem.add("format", b"%d %lld %s|%c\n\0".to_vec(), false);
        let text = mem.add("text", b"xyz\0".to_vec(), false);
        let mut args = vec![7, 0, 0, 0, 0xaa, 0xaa, 0xaa, 0xaa];
        args.extend((-5i64).to_le_bytes());
        args.extend(mem.base(text).to_le_bytes());
        args.extend(65u32.to_le_bytes());
        let list = mem.add("arguments", args, false);
        let (format, list) = (mem.base(format), mem.base(list));
        assert_eq!(call(&mut mem, System::Vprintf, &[format, list]), Ok(4));
        assert_eq!(mem.traces.printed, b"7 -5 xyz|A\n");
        assert_eq!(call(&mut mem, System::Vprintf, &[0, list]), Ok(0xffff_ffff));
        assert!(matches!(call(&mut mem, System::Vprintf, &[format, 0]), Err(FailureKind::OutOfBounds { .. })));
    }

    #[test]
    fn a_failed_assertion_says_where() {
        let mut mem = Memory::new();
        let texts: Vec<u64> = [&b"n > 0\0"[..], b"a.cu\0", b"f\0"]
            .iter()
            .map(|t| {
                let id = mem.add("text", t.to_vec(), false);
                mem.base(id)
            })
            .collect();
        let failure = call(&mut mem, System::AssertFail, &[texts[0], texts[1], 12, texts[2], 1]).unwrap_err();
        assert_eq!(failure.to_string(), "a.cu:12: f: assertion `n > 0` failed");
    }
}
