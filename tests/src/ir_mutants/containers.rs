//! Files that contain bitcode, written field by field.

/// An image of an offload package, for a triple and an architecture.
pub struct Image<'a> {
    pub triple: &'a str,
    pub arch: &'a str,
    pub bytes: &'a [u8],
}

const MAGIC: [u8; 4] = [0x10, 0xff, 0x10, 0xad];
const HEADER: usize = 32;
const ENTRY: usize = 40;
/// Image kind bitcode, offloading kind CUDA.
const KINDS: u64 = 2 | 2 << 16;

/// An offload package of version 1, which has one image (Clang, "Offload Binary").
pub fn package1(image: &Image<'_>) -> Vec<u8> {
    package(1, std::slice::from_ref(image))
}

/// An offload package of version 2, which has any number of images (LLVM,
/// `llvm/Object/OffloadBinary.h`).
pub fn package2(images: &[Image<'_>]) -> Vec<u8> {
    package(2, images)
}

fn package(version: u32, images: &[Image<'_>]) -> Vec<u8> {
    let pair = if version == 1 { 16 } else { 24 };
    let table = HEADER + ENTRY * images.len();
    let mut strings = table + 2 * pair * images.len();
    let (mut entries, mut pairs, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for (n, image) in images.iter().enumerate() {
        entries.push([KINDS, (table + 2 * pair * n) as u64, 2]);
        for (key, value) in [("triple", image.triple), ("arch", image.arch)] {
            pairs.extend([strings as u64, (strings + key.len() + 1) as u64]);
            pairs.extend((version > 1).then_some(value.len() as u64));
            texts.extend(format!("{key}\0{value}\0").bytes());
            strings += key.len() + value.len() + 2;
        }
    }
    let mut at = strings.next_multiple_of(8);
    let mut fields = Vec::new();
    for (entry, image) in entries.iter().zip(images) {
        fields.extend(entry);
        fields.extend([at as u64, image.bytes.len() as u64]);
        at = (at + image.bytes.len()).next_multiple_of(8);
    }
    let count = if version == 1 { ENTRY } else { images.len() };
    let mut out = [&MAGIC[..], &version.to_le_bytes()].concat();
    let head = [at as u64, HEADER as u64, count as u64];
    out.extend(head.iter().chain(&fields).chain(&pairs).flat_map(|field| field.to_le_bytes()));
    out.extend(texts);
    for image in images {
        out.resize(out.len().next_multiple_of(8), 0);
        out.extend(image.bytes);
    }
    out.resize(at, 0);
    out
}

/// An archive in the format of System V; names of more than 15 bytes are in its table of names.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut names, mut short) = (String::new(), Vec::new());
    for (name, _) in members {
        short.push(if name.len() < 16 { format!("{name}/") } else { format!("/{}", names.len()) });
        if name.len() >= 16 {
            names += &format!("{name}/\n");
        }
    }
    let mut out = b"!<arch>\n".to_vec();
    let mut add = |name: &str, contents: &[u8]| {
        out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, contents.len()).bytes());
        out.extend(contents);
        out.resize(out.len().next_multiple_of(2), b'\n');
    };
    if !names.is_empty() {
        add("//", names.as_bytes());
    }
    for (name, (_, contents)) in short.iter().zip(members) {
        add(name, contents);
    }
    out
}

/// A relocatable object for the host with these packages in a section.
pub fn host_object(packages: &[u8]) -> Vec<u8> {
    let names = b"\0.llvm.offloading\0.shstrtab\0";
    let start = (64 + names.len()).next_multiple_of(8);
    let table = (start + packages.len()).next_multiple_of(8);
    let mut out = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\x3e\0\x01\0\0\0".to_vec();
    out.extend([0; 16]);
    out.extend((table as u64).to_le_bytes());
    out.extend([0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 64, 0, 3, 0, 1, 0]);
    out.extend(names);
    out.resize(start, 0);
    out.extend(packages);
    out.resize(table, 0);
    for (name, kind, offset, size) in [(0u32, 0u32, 0, 0), (18, 3, 64, names.len()), (1, 1, start, packages.len())] {
        out.extend([name.to_le_bytes(), kind.to_le_bytes()].concat());
        out.extend([0, 0, offset, size, 0, 1, 0].iter().flat_map(|&value| (value as u64).to_le_bytes()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_fatbin::{container, members};

    const IMAGES: [Image<'_>; 2] = [
        Image { triple: "nvptx64-nvidia-cuda", arch: "sm_80", bytes: b"BC\xc0\xdefirst" },
        Image { triple: "nvptx64-nvidia-cuda", arch: "sm_90a", bytes: b"BC\xc0\xdesecond" },
    ];

    fn archs(file: &[u8]) -> Vec<String> {
        members(file).unwrap().iter().map(|member| member.arch().unwrap_or_default()).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let both = ["sm_80", "sm_90a"];
        assert_eq!(archs(&package2(&IMAGES)), both);
        assert_eq!(archs(&IMAGES.each_ref().map(package1).concat()), both);
        assert_eq!(archs(&host_object(&package2(&IMAGES))), both);
        let long = "a-name-of-more-than-fifteen-bytes.bc";
        let file = archive(&[("k.bc", IMAGES[0].bytes), (long, IMAGES[1].bytes), ("notes", b"text")]);
        let names: Vec<String> = container::archive(&file).unwrap().unwrap().into_iter().map(|f| f.0).collect();
        assert_eq!(names, ["k.bc", long, "notes"]);
        assert_eq!(members(&file).unwrap().len(), 2);
    }
}
