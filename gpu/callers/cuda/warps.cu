// Warps and cooperative groups: shuffles, votes, matches, partitions, a barrier of the whole grid, clusters.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void warp(const int *x, int *out) {
    int lane = threadIdx.x, v = x[lane], *o = out + lane;
    o[0 * 32] = __shfl_sync(~0u, v, (lane * 7) % 32);
    o[1 * 32] = __shfl_up_sync(~0u, v, 3);
    o[2 * 32] = __shfl_down_sync(~0u, v, 5, 8);
    o[3 * 32] = __shfl_xor_sync(~0u, v, 9);
    o[4 * 32] = __ballot_sync(~0u, v > 0);
    o[5 * 32] = __any_sync(~0u, v == x[3]) * 2 + __all_sync(~0u, v > -2000);
    o[6 * 32] = __match_any_sync(~0u, v & 3);
    int all;
    o[7 * 32] = __match_all_sync(~0u, v & 0, &all) + all;
    o[8 * 32] = __reduce_add_sync(~0u, v);
    o[9 * 32] = __reduce_max_sync(~0u, v);
    o[10 * 32] = __reduce_min_sync(~0u, (unsigned)v);
    o[11 * 32] = __reduce_xor_sync(~0u, (unsigned)v);
    // Half of the warp only.
    o[12 * 32] = -1;
    if (v & 1) o[12 * 32] = __reduce_max_sync(__ballot_sync(__activemask(), true), 1);
    long long wide = __shfl_sync(~0u, (long long)v << 33 | lane, lane ^ 1);
    o[13 * 32] = (int)(wide >> 33) + (int)wide;
    double real = __shfl_up_sync(~0u, v * 0.5, 1);
    o[14 * 32] = (int)(real * 2);
}

__global__ void groups(const int *x, int *out) {
    auto block = cg::this_thread_block();
    auto eight = cg::tiled_partition<8>(block);
    int rank = block.thread_rank(), v = x[rank];
    out[rank] = cg::reduce(eight, v, cg::plus<int>());
    out[128 + rank] = cg::inclusive_scan(eight, v);
    out[256 + rank] = cg::exclusive_scan(cg::tiled_partition<32>(block), v, cg::plus<int>());
    int kind = v & 3;
    out[384 + rank] = -1;
    if (kind != 2) {
        auto some = cg::coalesced_threads();
        auto same = cg::labeled_partition(some, kind);
        out[384 + rank] = cg::reduce(same, v, cg::greater<int>()) * 100 + same.size();
    }
    auto wide = cg::tiled_partition<64>(block);
    __shared__ int sum[2];
    if (!wide.thread_rank()) sum[wide.meta_group_rank()] = 0;
    wide.sync();
    atomicAdd(&sum[wide.meta_group_rank()], v);
    wide.sync();
    out[512 + rank] = sum[wide.meta_group_rank()];
}

// A sum in steps, with a barrier of all blocks between them.
__global__ void grid(int *data, int n, int steps) {
    auto all = cg::this_grid();
    for (int s = 0; s < steps; s++) {
        int *from = data + (s & 1) * n, *to = data + (~s & 1) * n;
        for (int k = all.thread_rank(); k < n; k += all.size()) to[k] = from[k] + from[(k + (1 << s)) % n];
        all.sync();
    }
}

__global__ void __cluster_dims__(4, 1, 1) cluster(const int *x, int *out) {
    __shared__ int mine[128];
    auto group = cg::this_cluster();
    mine[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x];
    group.sync();
    int sum = 0;
    for (int k = 0; k < 4; k++) sum += *group.map_shared_rank(&mine[(threadIdx.x + k) % 128], (group.block_rank() + k) % 4);
    group.sync();
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

int main() {
    Array<int> x(512), out(15 * 32), g(640), c(512);
    for (auto &v : x.host) v = (int)(next_random() % 2001) - 1000;
    x.put();
    warp<<<1, 32>>>(x.device, out.device);
    groups<<<1, 128>>>(x.device, g.device);
    out.get(), g.get(), out.hash(), g.hash();
    int sum = 0, most = -9999, odd = 0;
    unsigned ballot = 0, bits = 0, least = ~0u;
    for (int k = 0; k < 32; k++) {
        sum += x[k], most = std::max(most, x[k]), odd += x[k] & 1, ballot |= (x[k] > 0) << k, bits ^= x[k], least = std::min(least, (unsigned)x[k]);
    }
    for (int k = 0; k < 32; k++) {
        unsigned same = 0;
        for (int j = 0; j < 32; j++) same |= ((x[j] & 3) == (x[k] & 3)) << j;
        int want[] = {x[(k * 7) % 32], k < 3 ? x[k] : x[k - 3], k % 8 + 5 < 8 ? x[k + 5] : x[k], x[k ^ 9], (int)ballot, 3, (int)same, 0, sum,
                      most, (int)least, (int)bits, x[k] & 1 ? 1 : -1, x[k ^ 1] + (k ^ 1), k ? x[k - 1] : x[0]};
        for (int r = 0; r < 15; r++)
            if (r != 7) equal("warp", r * 32 + k, out[r * 32 + k], want[r]);
    }
    for (int k = 0; k < 128; k++) {
        int tile = 0, scan = 0, before = 0, big = -9999, count = 0, half = 0;
        for (int j = k / 8 * 8; j < k / 8 * 8 + 8; j++) tile += x[j], scan += j <= k ? x[j] : 0;
        for (int j = k / 32 * 32; j < k; j++) before += x[j];
        for (int j = k / 32 * 32; j < k / 32 * 32 + 32; j++)
            if ((x[j] & 3) == (x[k] & 3)) big = std::max(big, x[j]), count++;
        for (int j = k / 64 * 64; j < k / 64 * 64 + 64; j++) half += x[j];
        equal("tile", k, g[k], tile), equal("scan", k, g[128 + k], scan), equal("before", k, g[256 + k], before);
        equal("labeled", k, g[384 + k], (x[k] & 3) == 2 ? -1 : big * 100 + count), equal("64", k, g[512 + k], half);
    }
    int n = 4096, steps = 5;
    Array<int> data(2 * n);
    std::vector<int> now(n), then(n);
    for (int k = 0; k < n; k++) data[k] = now[k] = next_random() % 100;
    data.put();
    void *words[] = {&data.device, &n, &steps};
    CUDA(cudaLaunchCooperativeKernel((void *)grid, dim3(64), dim3(32), words, 0, 0));
    data.get(), data.hash();
    for (int s = 0; s < steps; s++, now.swap(then))
        for (int k = 0; k < n; k++) then[k] = now[k] + now[(k + (1 << s)) % n];
    for (int k = 0; k < n; k++) equal("grid", k, data[(steps & 1) * n + k], now[k]);
    cluster<<<4, 128>>>(x.device, c.device);
    c.get(), c.hash();
    for (int b = 0; b < 4; b++)
        for (int k = 0; k < 128; k++) {
            int want = 0;
            for (int j = 0; j < 4; j++) want += x[(b + j) % 4 * 128 + (k + j) % 128];
            equal("cluster", b * 128 + k, c[b * 128 + k], want);
        }
    return finish();
}
