//! Decompresses LZ4 blocks.

/// Decompresses a block to exactly `size` bytes; `None` if it is malformed.
pub(crate) fn decompress(block: &[u8], size: usize) -> Option<Vec<u8>> {
    // One byte of input gives at most 255 bytes of output: a damaged size allocates nothing.
    if size / 256 > block.len() {
        return None;
    }
    let mut out = vec![0; size];
    (lz4_flex::block::decompress_into(block, &mut out).ok()? == size).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::decompress;

    #[test]
    fn matches_may_overlap_what_they_write() {
        // "ab", six bytes from distance two, and the literals that end a block.
        let block = [0x22, b'a', b'b', 2, 0, 0x50, b'c', b'd', b'e', b'f', b'g'];
        assert_eq!(decompress(&block, 13).unwrap(), b"ababababcdefg");
        assert_eq!(decompress(&[0x20, b'a', b'b'], 2).unwrap(), b"ab");
    }

    #[test]
    fn damage_is_noticed() {
        for (block, size) in [(&[0x22, b'a', b'b', 3, 0][..], 8), (&[0x22, b'a'], 8), (&[0xf0, 255, 255], 9), (&[], 1)]
        {
            assert_eq!(decompress(block, size), None);
        }
        assert_eq!(decompress(&[0x2f, b'a', b'b', 2, 0, 255, 255, 0], 8), None);
        assert_eq!(decompress(&[0x20, b'a', b'b'], 1 << 40), None);
    }
}
