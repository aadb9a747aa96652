// Correctly rounded quotients, square roots and reciprocals in single precision, on any bits.
extern "C" __global__ void divide_f32(const float *__restrict__ x, const float *__restrict__ by, float *__restrict__ q,
                                      float *__restrict__ r, float *__restrict__ s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    q[i] = x[i] / by[i];
    r[i] = 1.0f / by[i];
    s[i] = sqrtf(fabsf(x[i]));
}
