// Loads and stores of four floats at once.
extern "C" __global__ void vectors(const float4 *__restrict__ x, float4 *__restrict__ y, float scale, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = x[i];
    y[i] = make_float4(v.w * scale, v.z - v.x, v.y + v.x, v.x);
}
