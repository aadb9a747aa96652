// Thrust: sorts with a comparison, reductions by key, sets.
#include "check.h"
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

struct ByLast {
    __host__ __device__ bool operator()(int a, int b) const { return a % 1000 != b % 1000 ? a % 1000 < b % 1000 : a < b; }
};

int main(int argc, char **argv) {
    int n = timing(argc, argv) ? 1 << 22 : 50000;
    Array<int> x(n), y(n), keys(n), out(n), sums(n);
    for (int k = 0; k < n; k++) x[k] = next_random() >> 4, y[k] = k;
    x.put(), y.put();
    Array<int> copy(n);
    copy.host = x.host, copy.put();
    thrust::sort(thrust::device, x.device, x.device + n, ByLast());
    std::vector<int> want(copy.host);
    std::sort(want.begin(), want.end(), ByLast());
    x.get(), x.hash();
    for (int k = 0; k < n; k++) equal("sort", k, x[k], want[k]);
    for (int k = 0; k < n; k++) keys[k] = k / 7, y[k] = k % 10;
    keys.put(), y.put();
    auto end = thrust::reduce_by_key(thrust::device, keys.device, keys.device + n, y.device, out.device, sums.device);
    out.get(), sums.get(), bits(sums.host.data(), 4000);
    equal("groups", 0, end.first - out.device, (n + 6) / 7);
    for (int k = 0; k < n / 7; k++) {
        int sum = 0;
        for (int j = 0; j < 7; j++) sum += (k * 7 + j) % 10;
        equal("group", k, sums[k], sum);
    }
    long long dot = thrust::inner_product(thrust::device, y.device, y.device + n, y.device, 0ll);
    long long sum = 0;
    for (int k = 0; k < n; k++) sum += (long long)(k % 10) * (k % 10);
    equal("dot", 0, dot, sum);
    if (timing(argc, argv)) measure("merge_sort", [&] {
        cudaMemcpyAsync(x.device, copy.device, n * 4l, cudaMemcpyDeviceToDevice);
        thrust::sort(thrust::device, x.device, x.device + n, ByLast());
    });
    return finish();
}
