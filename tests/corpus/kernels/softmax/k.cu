// Softmax of each row; one block a row, maximum and sum by shuffles and shared memory.
#define FULL 0xffffffffu
extern "C" __global__ void softmax(const float *__restrict__ x, float *__restrict__ y, int cols) {
    __shared__ float part[4];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    const float *row = x + blockIdx.x * cols;
    float top = -1e30f;
    for (int i = t; i < cols; i += 128) top = fmaxf(top, row[i]);
    for (int d = 16; d > 0; d /= 2) top = fmaxf(top, __shfl_xor_sync(FULL, top, d));
    if (lane == 0) part[warp] = top;
    __syncthreads();
    top = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
    __syncthreads();
    float sum = 0.0f;
    for (int i = t; i < cols; i += 128) sum += expf(row[i] - top);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(FULL, sum, d);
    if (lane == 0) part[warp] = sum;
    __syncthreads();
    sum = (part[0] + part[1]) + (part[2] + part[3]);
    for (int i = t; i < cols; i += 128) y[blockIdx.x * cols + i] = expf(row[i] - top) / sum;
}
