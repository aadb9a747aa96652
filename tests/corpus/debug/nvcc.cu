// For the debug information of nvcc -G: functions, a loop, a parameter in memory, variables of every kind. nvcc.ptx was made of it by
// nvcc -arch=sm_80 -G -ptx nvcc.cu (13.0.88), in a folder /tmp/debug.
struct Limits {
    float scale;
    int count;
};
__constant__ int table[4];
__device__ Limits state;

__device__ __noinline__ int fold(int value, int times) {
    int sum = value * 3;
    for (int i = 0; i < times; ++i) {
        sum += i ^ value;
    }
    return sum;
}

__device__ int square(int value) {
    int more = value + 5;
    return more * more;
}

extern "C" __global__ void first(int *data, Limits limits, int times) {
    __shared__ int tile[64];
    int i = threadIdx.x;
    tile[i] = data[i];
    __syncthreads();
    int result = fold(tile[63 - i], times) + square(i) + table[i & 3];
    if (i < limits.count) {
        data[i] = result;
    } else {
        state.count = result;
    }
}

extern "C" __global__ void second(float *data) {
    int i = threadIdx.x;
    float four[4];
    for (int j = 0; j < 4; ++j) {
        four[j] = data[i * 4 + j];
    }
    data[i] = four[i & 3] * 2.0f;
}
