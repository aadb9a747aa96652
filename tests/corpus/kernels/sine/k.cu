// Full-precision sine and cosine: large arguments are reduced with 2/pi to 192 bits, which needs local memory.
extern "C" __global__ void sine(const float *__restrict__ x, float *__restrict__ s, float *__restrict__ c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    s[i] = sinf(x[i]);
    c[i] = cosf(x[i]);
}
