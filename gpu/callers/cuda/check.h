// What all programs share: they check their own results, print a digest of them, and measure when "time" is given.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDA(call)                                                                                     \
    do {                                                                                               \
        cudaError_t code = (call);                                                                     \
        if (code != cudaSuccess) {                                                                     \
            printf("error %s at %s:%d: %s\n", #call, __FILE__, __LINE__, cudaGetErrorString(code));    \
            exit(2);                                                                                   \
        }                                                                                              \
    } while (0)

static uint64_t digest = 1469598103934665603ull;
static long wrong = 0;

// Adds bytes to the digest, which both variants must share.
inline void bits(const void *data, size_t size) {
    for (size_t k = 0; k < size; k++) digest = (digest ^ ((const unsigned char *)data)[k]) * 1099511628211ull;
}

inline void expect(bool right, const char *what, long long at, double have, double want) {
    if (right) return;
    if (wrong++ < 5) printf("wrong %s[%lld]: %.17g, expected %.17g\n", what, at, have, want);
}

inline void equal(const char *what, long long at, double have, double want) { expect(have == want, what, at, have, want); }

inline void near(const char *what, long long at, double have, double want, double off) {
    expect(std::isnan(want) ? std::isnan(have) : have == want || std::fabs(have - want) <= off * (1 + std::fabs(want)), what, at, have,
           want);
}

// Memory of the GPU with a copy here.
template <class T> struct Array {
    std::vector<T> host;
    T *device = nullptr;
    explicit Array(size_t n, T value = T()) : host(n, value) {
        CUDA(cudaMalloc(&device, n * sizeof(T) + 16));
        put();
    }
    ~Array() { cudaFree(device); }
    void put() { CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void get() {
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
        CUDA(cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
    }
    void hash() { bits(host.data(), host.size() * sizeof(T)); }
    T &operator[](size_t k) { return host[k]; }
    size_t size() const { return host.size(); }
};

inline void started() {
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
}

inline uint32_t next_random() {
    static uint64_t state = 88172645463325252ull;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 16);
}
inline float next_float() { return next_random() * (2.0f / 4294967296.0f) - 1.0f; }

// The median of some runs, in milliseconds.
template <class F> void measure(const char *name, F start) {
    cudaEvent_t a, b;
    CUDA(cudaEventCreate(&a));
    CUDA(cudaEventCreate(&b));
    std::vector<float> times;
    for (int k = 0; k < 23; k++) {
        CUDA(cudaEventRecord(a));
        start();
        CUDA(cudaEventRecord(b));
        CUDA(cudaEventSynchronize(b));
        float ms;
        CUDA(cudaEventElapsedTime(&ms, a, b));
        if (k > 2) times.push_back(ms);
    }
    started();
    std::sort(times.begin(), times.end());
    printf("ms %s %.5f\n", name, times[times.size() / 2]);
}

inline bool timing(int argc, char **argv) { return argc > 1 && !strcmp(argv[1], "time"); }

inline int finish() {
    started();
    printf("digest %016llx wrong %ld\n", (unsigned long long)digest, wrong);
    return wrong ? 1 : 0;
}
