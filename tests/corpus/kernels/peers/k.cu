// Counts of small numbers: lanes with equal numbers find one another, one of them adds for all.
extern "C" __global__ void peers(const unsigned *__restrict__ x, unsigned *__restrict__ counts, unsigned *__restrict__ masks, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    unsigned v = i < n ? x[i] : 15;
    unsigned same = __match_any_sync(0xffffffffu, v);
    if (__ffs(same) - 1 == lane) atomicAdd(&counts[v], (unsigned)__popc(same));
    masks[i] = same;
    if (__all_sync(0xffffffffu, v < 16) && !__any_sync(0xffffffffu, v > 20) && i == 0) counts[16] = 1;
}
