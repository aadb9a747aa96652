// Conversions between integers and floating point, in both directions and of several widths.
extern "C" __global__ void convert(const float *__restrict__ x, const long long *__restrict__ v, int *__restrict__ ints,
                                   unsigned short *__restrict__ shorts, long long *__restrict__ longs, float *__restrict__ floats,
                                   double *__restrict__ doubles, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    ints[i] = (int)x[i];
    longs[i] = (long long)((double)x[i] * 1e8);
    shorts[i] = (unsigned short)(short)(v[i] >> 7);
    floats[i] = (float)v[i] + (float)(unsigned long long)v[i] + (float)(double)(int)v[i];
    doubles[i] = (double)v[i] + (double)(unsigned)v[i] + (double)(signed char)v[i] + x[i];
}
