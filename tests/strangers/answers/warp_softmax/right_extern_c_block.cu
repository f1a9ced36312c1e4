// In an extern "C" block, with namespaces, an enum and if constexpr.
#include "tilewise.cuh"

namespace mine {
enum { Warp = 32, Full = 0xffffffff };
template <bool Largest> __device__ __forceinline__ float both(float a, float b) {
    if constexpr (Largest) return fmaxf(a, b);
    else return a + b;
}
template <bool Largest> __device__ float warp(float v, int width = Warp) {
    for (int d = width / 2; d >= 1; d /= 2) v = both<Largest>(v, __shfl_down_sync(Full, v, d, width));
    return __shfl_sync(Full, v, 0, width);
}
template <bool Largest> __device__ float row(float v, float* parts) {
    v = warp<Largest>(v);
    const int n = blockDim.x / Warp;
    if (n == 1) return v;
    if (!(threadIdx.x & 31)) parts[threadIdx.x >> 5] = v;
    __syncthreads();
    return warp<Largest>(parts[threadIdx.x & (n - 1)], n);
}
}
extern "C" {
__global__ void __launch_bounds__(1024) warp_softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    struct alignas(sizeof(float) * VECTOR) Vec { float e[VECTOR]; };
    __shared__ float parts[2][32];
    const size_t row = size_t{blockIdx.x} * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const Vec* from = reinterpret_cast<const Vec*>(x + row * cols);
    Vec* to = reinterpret_cast<Vec*>(y + row * cols);
    const int n = cols / VECTOR;
    Vec kept[CHUNKS];
    float m = -INFINITY, l = 0.f;
#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
        const int at = threadIdx.x + i * blockDim.x;
        if (at >= n) continue;
        kept[i] = from[at];
#pragma unroll
        for (int e = 0; e < VECTOR; ++e) m = fmaxf(m, kept[i].e[e]);
    }
    m = mine::row<true>(m, parts[0]);
    if (m == -INFINITY) m = 0.f;
#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
        const int at = threadIdx.x + i * blockDim.x;
        if (at >= n) continue;
#pragma unroll
        for (int e = 0; e < VECTOR; ++e) l += kept[i].e[e] = exp2f((kept[i].e[e] - m) * 1.4426950408889634f);
    }
    l = mine::row<false>(l, parts[1]);
    const float r = l == 0.f ? 0.f : __frcp_rn(l);
#pragma unroll
    for (int i = 0; i < CHUNKS; ++i) {
        const int at = threadIdx.x + i * blockDim.x;
        if (at >= n) break;
#pragma unroll
        for (auto& e : kept[i].e) e *= r;
        to[at] = kept[i];
    }
}
}
