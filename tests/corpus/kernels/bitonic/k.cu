// Sorts each block's 256 numbers in shared memory by a bitonic network, two numbers a thread.
extern "C" __global__ void bitonic(unsigned *__restrict__ data) {
    __shared__ unsigned s[256];
    unsigned t = threadIdx.x, base = blockIdx.x * 256;
    s[t] = data[base + t];
    s[t + 128] = data[base + t + 128];
    for (unsigned size = 2; size <= 256; size *= 2) {
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned low = 2 * t - (t & (stride - 1)), high = low + stride;
            bool up = (low & size) == 0;
            unsigned a = s[low], b = s[high];
            if ((a > b) == up) {
                s[low] = b;
                s[high] = a;
            }
        }
    }
    __syncthreads();
    data[base + t] = s[t];
    data[base + t + 128] = s[t + 128];
}
