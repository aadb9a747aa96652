// Keeps the elements above a limit: places within a warp by ballot, one counter per warp.
extern "C" __global__ void compact(const int *__restrict__ x, int *__restrict__ kept, int *__restrict__ counts, int n, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = i / 32;
    bool keep = i < n && x[i] > limit;
    unsigned votes = __ballot_sync(0xffffffffu, keep);
    if (keep) kept[warp * 32 + __popc(votes & ((1u << lane) - 1))] = x[i];
    if (lane == 0) counts[warp] = __popc(votes);
}
