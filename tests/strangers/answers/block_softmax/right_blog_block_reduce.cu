// a reduction by shuffles within a warp, then across warps, as in a blog
#include "tilewise.cuh"

// blockReduce as in the NVIDIA blog: shuffles within a warp, then across warps
__device__ __forceinline__ float warpMax(float v) { for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o)); return v; }
__device__ __forceinline__ float warpSum(float v) { for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o); return v; }

extern "C" __global__ void block_softmax(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float mx[THREADS / 32];
    __shared__ float sm[THREADS / 32];
    const float* x = in + (size_t)blockIdx.x * n;
    float* y = out + (size_t)blockIdx.x * n;
    const int wid = threadIdx.x >> 5, lane = threadIdx.x & 31;
    float m = -INFINITY;
    for (int i = threadIdx.x; i < n; i += blockDim.x) m = fmaxf(m, x[i]);
    m = warpMax(m);
    if (lane == 0) mx[wid] = m;
    __syncthreads();
    m = mx[0];
    for (int w = 1; w < THREADS / 32; ++w) m = fmaxf(m, mx[w]);
    const float base = m == -INFINITY ? 0.0f : m;
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += expf(x[i] - base);
    s = warpSum(s);
    if (lane == 0) sm[wid] = s;
    __syncthreads();
    s = 0.0f;
    for (int w = 0; w < THREADS / 32; ++w) s += sm[w];
    const float r = s > 0.0f ? 1.0f / s : 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = expf(x[i] - base) * r;
}
