//! LZ4 blocks (LZ4 block format description, lz4.org).

/// Decompresses a block to exactly `size` bytes; `None` if it is none.
pub(crate) fn decompress(mut block: &[u8], size: usize) -> Option<Vec<u8>> {
    // A byte of input gives at most 255 of output.
    let mut out = Vec::with_capacity(size.min(block.len().saturating_mul(256)));
    while out.len() < size {
        let (&token, rest) = block.split_first()?;
        block = rest;
        let literals = length(&mut block, token >> 4)?;
        let bytes = block.get(..literals)?;
        if literals > size - out.len() {
            return None;
        }
        out.extend_from_slice(bytes);
        block = &block[literals..];
        if out.len() == size {
            break;
        }
        let (distance, rest) = block.split_first_chunk::<2>()?;
        block = rest;
        let distance = usize::from(u16::from_le_bytes(*distance));
        let count = length(&mut block, token & 15)?.checked_add(4)?;
        let from = out.len().checked_sub(distance).filter(|_| distance > 0)?;
        if count > size - out.len() {
            return None;
        }
        for i in 0..count {
            out.push(out[from + i]);
        }
    }
    Some(out)
}

/// A length of four bits, continued in bytes while they are 255.
fn length(block: &mut &[u8], first: u8) -> Option<usize> {
    let mut out = usize::from(first);
    if first == 15 {
        loop {
            let (&byte, rest) = block.split_first()?;
            *block = rest;
            out = out.checked_add(byte.into())?;
            if byte != 255 {
                break;
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::decompress;

    #[test]
    fn matches_may_overlap_what_they_write() {
        // "ab", then six bytes from two back.
        assert_eq!(decompress(&[0x22, b'a', b'b', 2, 0], 8).unwrap(), b"abababab");
        assert_eq!(decompress(&[0x20, b'a', b'b'], 2).unwrap(), b"ab");
    }

    #[test]
    fn damage_is_noticed() {
        for (block, size) in [(&[0x22, b'a', b'b', 3, 0][..], 8), (&[0x22, b'a'], 8), (&[0xf0, 255, 255], 9), (&[], 1)]
        {
            assert_eq!(decompress(block, size), None);
        }
        assert_eq!(decompress(&[0x2f, b'a', b'b', 2, 0, 255, 255, 0], 8), None);
    }
}
