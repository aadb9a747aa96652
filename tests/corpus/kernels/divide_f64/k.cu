// Correctly rounded quotients and square roots in double precision, on any bits.
extern "C" __global__ void divide_f64(const double *__restrict__ x, const double *__restrict__ by, double *__restrict__ q,
                                      double *__restrict__ s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    q[i] = x[i] / by[i];
    s[i] = sqrt(fabs(x[i]));
}
