// Sparse matrix in CSR form times a vector, one thread a row.
extern "C" __global__ void spmv(const unsigned *__restrict__ start, const unsigned *__restrict__ cols, const float *__restrict__ values,
                                const float *__restrict__ x, float *__restrict__ y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (unsigned k = start[row]; k < start[row + 1]; ++k) sum += values[k] * x[cols[k]];
    y[row] = sum;
}
