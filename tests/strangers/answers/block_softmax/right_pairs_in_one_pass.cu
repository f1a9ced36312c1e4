// Right: an online softmax of pairs (m, l), merged by shuffles within warps and by the first warp between them.
#include "tilewise.cuh"

__device__ float2 merge(float2 a, float2 b) {
    const float2 big = a.x >= b.x ? a : b, small = a.x >= b.x ? b : a;
    if (small.x == -INFINITY) return big;
    return {big.x, big.y + small.y * expf(small.x - big.x)};
}

__device__ float2 warp_merge(float2 v) {
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) {
        const float2 other = {__shfl_xor_sync(~0u, v.x, mask), __shfl_xor_sync(~0u, v.y, mask)};
        v = merge(v, other);
    }
    return v;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float2 pairs[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const float* in = x + (size_t)blockIdx.x * cols;
    float* out = y + (size_t)blockIdx.x * cols;
    float2 v = {-INFINITY, 0.0f};
    for (int j = threadIdx.x; j < cols; j += blockDim.x) v = merge(v, {in[j], 1.0f});
    v = warp_merge(v);
    if (lane == 0) pairs[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < THREADS / 32 ? pairs[lane] : make_float2(-INFINITY, 0.0f);
        v = warp_merge(v);
        if (lane == 0) pairs[0] = v;
    }
    __syncthreads();
    v = pairs[0];
    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        out[j] = v.x == -INFINITY ? 0.0f : expf(in[j] - v.x) / v.y;
    }
}
