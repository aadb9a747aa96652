//! Sections with the same content in every file, as ptxas 13.0.88 lays them out: `.note.nv.tkinfo`
//! (the tool that made it), `.note.nv.cuinfo` (the device) and `.nv.rel.action`.

use crate::options::ToolNote;

/// Owner of both notes.
const OWNER: &[u8] = b"NVIDIA Corp\0";
/// Note types.
const TOOL: u32 = 2000;
const CUDA: u32 = 1000;
/// CUDA 13.0, as encoded in CUDA_API_VERSION.
pub(crate) const TOOLKIT: u16 = 0x82;

/// `.nv.rel.action`: relocation 0x73 takes 17 bits of an address to bit 37 and 5 bits to bit 54
/// (ptxas 13.0.88 output for sm_8x, the same in every file).
pub(crate) const RELOC_ACTION: [u8; 16] = [0x73, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x25, 0, 0x05, 0x36];

fn note(kind: u32, description: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(24 + description.len());
    out.extend((OWNER.len() as u32).to_le_bytes());
    out.extend((description.len() as u32).to_le_bytes());
    out.extend(kind.to_le_bytes());
    out.extend(OWNER);
    out.extend(description);
    out.resize(out.len().next_multiple_of(4), 0);
    out
}

/// The toolkit note: version 2, the string table's offsets of name, version, build and arguments,
/// the strings.
pub(crate) fn toolkit(tool: &ToolNote<'_>) -> Vec<u8> {
    let mut strings = vec![0];
    let mut offsets = Vec::new();
    for s in [tool.name, tool.version, tool.build, tool.arguments] {
        offsets.push(strings.len() as u32);
        // The strings are NUL-terminated, so a NUL inside would end one early.
        strings.extend(s.bytes().filter(|&b| b != 0));
        strings.push(0);
    }
    let mut description = Vec::new();
    for word in [2, 0].into_iter().chain(offsets) {
        description.extend(u32::to_le_bytes(word));
    }
    description.extend(strings);
    description.resize(description.len().next_multiple_of(4), 0);
    note(TOOL, &description)
}

/// The device note: version 2, SM number of the PTX target, toolkit number.
pub(crate) fn cuda(virtual_sm: u16) -> Vec<u8> {
    let description: Vec<u8> = [2, virtual_sm, TOOLKIT, 0].into_iter().flat_map(u16::to_le_bytes).collect();
    note(CUDA, &description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_those_of_ptxas() {
        // .note.nv.cuinfo of a module for sm_70 assembled by ptxas 13.0.88.
        let expected = b"\x0c\0\0\0\x08\0\0\0\xe8\x03\0\0NVIDIA Corp\0\x02\0\x46\0\x82\0\0\0";
        assert_eq!(cuda(70), expected);
        let tool = ToolNote {
            name: "ptxas",
            version: "Cuda compilation tools, release 13.0, V13.0.88",
            build: "Build cuda_13.0.r13.0/compiler.36424714_0",
            arguments: "-arch sm_80 ",
        };
        let bytes = toolkit(&tool);
        assert_eq!(bytes.len(), 0xa0);
        assert_eq!(bytes[24..48], [2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0x36, 0, 0, 0, 0x60, 0, 0, 0]);
    }
}
