// 8-bit quantisation of blocks of 128 by their largest magnitude.
extern "C" __global__ void quantize(const float *__restrict__ x, signed char *__restrict__ q, float *__restrict__ scales, int n) {
    __shared__ float top[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float v = i < n ? x[i] : 0.0f;
    top[t] = fabsf(v);
    __syncthreads();
    for (int half = 64; half > 0; half >>= 1) {
        if (t < half) top[t] = fmaxf(top[t], top[t + half]);
        __syncthreads();
    }
    float scale = top[0] / 127.0f;
    float level = scale > 0.0f ? rintf(v / scale) : 0.0f;
    if (i < n) q[i] = (signed char)fminf(fmaxf(level, -127.0f), 127.0f);
    if (t == 0) scales[blockIdx.x] = scale;
}
