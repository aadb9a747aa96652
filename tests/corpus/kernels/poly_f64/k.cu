// A polynomial in double precision by Horner's rule with fused operations, and its absolute value where it is negative.
extern "C" __global__ void poly_f64(const double *__restrict__ x, double *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i], p = 0.015625;
    p = fma(p, v, -0.1);
    p = fma(p, v, 0.3333333333333333);
    p = fma(p, v, -1.0);
    p = fma(p, v, 2.718281828459045);
    y[i] = p < 0.0 ? fabs(p) : p * v;
}
