// Exponential and logarithm in double precision.
extern "C" __global__ void exp_log_f64(const double *__restrict__ x, const double *__restrict__ y, double *__restrict__ e, double *__restrict__ l,
                                       int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    e[i] = exp(x[i]);
    l[i] = log(y[i]);
}
