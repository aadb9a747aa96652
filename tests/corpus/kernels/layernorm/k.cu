// Layer norm of each row with scale and shift; one warp a row.
extern "C" __global__ void layernorm(const float *__restrict__ x, const float *__restrict__ scale, const float *__restrict__ shift,
                                     float *__restrict__ y, int cols, float eps) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float *in = x + row * cols;
    float sum = 0.0f, squares = 0.0f;
    for (int i = lane; i < cols; i += 32) sum += in[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    float mean = sum / cols;
    for (int i = lane; i < cols; i += 32) squares += (in[i] - mean) * (in[i] - mean);
    for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, d);
    float inverse = rsqrtf(squares / cols + eps);
    for (int i = lane; i < cols; i += 32) y[row * cols + i] = (in[i] - mean) * inverse * scale[i] + shift[i];
}
