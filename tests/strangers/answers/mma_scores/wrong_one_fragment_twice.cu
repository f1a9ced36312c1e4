// The upper keys get the lower ones' product.
#include "tilewise.cuh"

__device__ unsigned pair(const element* p) { return *reinterpret_cast<const unsigned*>(p); }

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x >> 2, t = 2 * (threadIdx.x & 3);
    const element* q0 = q + ((long long)blockIdx.y * 16 + g) * d + t;
    const element* k0 = k + ((long long)blockIdx.x * 16 + g) * d + t;
    s += ((long long)blockIdx.y * 16 + g) * n + blockIdx.x * 16 + t;
    float low[4] = {0, 0, 0, 0}, high[4] = {0, 0, 0, 0};
    for (int c = 0; c < d; c += 16) {
        const unsigned a[4] = {pair(q0 + c), pair(q0 + 8 * d + c), pair(q0 + c + 8), pair(q0 + 8 * d + c + 8)};
        const unsigned left[2] = {pair(k0 + c), pair(k0 + c + 8)};
        const unsigned right[2] = {pair(k0 + 8 * d + c), pair(k0 + 8 * d + c + 8)};
        mma_m16n8k16(low, a, left);
        mma_m16n8k16(high, a, left);
    }
    for (int i = 0; i < 2; ++i) {
        float* to = s + (long long)i * 8 * n;
        *reinterpret_cast<float2*>(to) = {low[2 * i], low[2 * i + 1]};
        *reinterpret_cast<float2*>(to + 8) = {high[2 * i], high[2 * i + 1]};
    }
}
