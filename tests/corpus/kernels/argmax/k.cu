// Largest number and its first place, by shuffles of pairs.
extern "C" __global__ void argmax(const int *__restrict__ x, int *__restrict__ best, int n) {
    int lane = threadIdx.x, top = -2147483647 - 1, place = -1;
    for (int i = blockIdx.x * n + lane; i < (blockIdx.x + 1) * n; i += 32) {
        if (x[i] > top) {
            top = x[i];
            place = i;
        }
    }
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_xor_sync(0xffffffffu, top, d), where = __shfl_xor_sync(0xffffffffu, place, d);
        if (other > top || (other == top && where < place)) {
            top = other;
            place = where;
        }
    }
    int up = __shfl_up_sync(0xffffffffu, top, 1), broadcast = __shfl_sync(0xffffffffu, place, 7);
    if (lane == 31) {
        best[2 * blockIdx.x] = up;
        best[2 * blockIdx.x + 1] = broadcast;
    }
}
