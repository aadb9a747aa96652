//! FNV-1a, then the 64-bit finaliser of MurmurHash3.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let (text, start): (Vec<u8>, Vec<u32>) = (args.buffer("text"), args.buffer("start"));
    let mut hashes: Vec<u64> = args.buffer("hashes");
    for i in 0..n {
        let bytes = &text[start[i] as usize..start[i + 1] as usize];
        let step = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3);
        let mut h = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
        h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        hashes[i] = h ^ (h >> 33);
    }
    args.set_buffer("hashes", &hashes);
}
