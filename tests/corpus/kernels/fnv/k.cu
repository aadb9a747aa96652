// 64-bit FNV-1a of strings of different lengths, finished by the mixer of MurmurHash3.
extern "C" __global__ void fnv(const unsigned char *__restrict__ text, const unsigned *__restrict__ start,
                               unsigned long long *__restrict__ hashes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long h = 0xcbf29ce484222325ull;
    for (unsigned p = start[i]; p < start[i + 1]; ++p) h = (h ^ text[p]) * 0x100000001b3ull;
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ull;
    h ^= h >> 33;
    hashes[i] = h;
}
