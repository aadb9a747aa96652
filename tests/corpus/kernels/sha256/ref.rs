//! The compression function of SHA-256 as in FIPS 180-4, with the constants computed from primes.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let n = args.get::<i32>("n") as usize;
    let blocks: Vec<u32> = args.buffer("blocks");
    let mut digests: Vec<u32> = args.buffer("digests");
    // The first 32 bits of the fractions of square and cube roots of the first primes.
    let primes: Vec<u32> = (2u32..312).filter(|p| (2..*p).all(|d| p % d != 0)).collect();
    let fraction = |root: f64| ((root - root.floor()) * 4_294_967_296.0) as u32;
    let initial: Vec<u32> = primes[..8].iter().map(|p| fraction(f64::from(*p).sqrt())).collect();
    let constants: Vec<u32> = primes[..64].iter().map(|p| fraction(f64::from(*p).cbrt())).collect();
    for (block, digest) in blocks.chunks(16).zip(digests.chunks_mut(8)).take(n) {
        let mut w = block.to_vec();
        for t in 16..64 {
            let (x, y) = (w[t - 15], w[t - 2]);
            let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            w.push(w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1));
        }
        let mut s = initial.clone();
        for t in 0..64 {
            let big1 = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
            let choose = (s[4] & s[5]) ^ (!s[4] & s[6]);
            let t1 = [big1, choose, constants[t], w[t]].iter().fold(s[7], |sum, v| sum.wrapping_add(*v));
            let big0 = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
            let t2 = big0.wrapping_add((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(t1);
            s[0] = t1.wrapping_add(t2);
        }
        for i in 0..8 {
            digest[i] = s[i].wrapping_add(initial[i]);
        }
    }
    args.set_buffer("digests", &digests);
}
