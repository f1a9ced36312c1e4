// Each thread runs (m, l) online; pairs merge by shuffles, then over eight warps; macros and a struct.
#include "tilewise.cuh"

#define FULL 0xffffffffu
struct State {
    float m = -INFINITY, l = 0.0f;
    __device__ void join(float m2, float l2) {
        const float top = fmaxf(m, m2);
        if (top == -INFINITY) return;
        l = l * expf(m - top) + l2 * expf(m2 - top);
        m = top;
    }
};
extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float ms[8], ls[8];
    const float* const row = x + size_t(blockIdx.x) * cols;
    float* const out = y + size_t(blockIdx.x) * cols;
    State a;
    for (int j = threadIdx.x; j < cols; j += THREADS) {
        const float v = row[j];
        if (v > a.m) {
            a.l = a.l * expf(a.m - v) + 1.0f;
            a.m = v;
        } else if (v > -INFINITY) {
            a.l += expf(v - a.m);
        }
    }
    for (int d = 16; d; d /= 2) a.join(__shfl_xor_sync(FULL, a.m, d), __shfl_xor_sync(FULL, a.l, d));
    if (threadIdx.x % 32 == 0) ms[threadIdx.x / 32] = a.m, ls[threadIdx.x / 32] = a.l;
    __syncthreads();
    a.m = ms[threadIdx.x % 8], a.l = ls[threadIdx.x % 8];
    for (int d = 4; d; d /= 2) a.join(__shfl_xor_sync(FULL, a.m, d), __shfl_xor_sync(FULL, a.l, d));
    const float inv = a.l > 0.0f ? 1.0f / a.l : 0.0f, shift = a.l > 0.0f ? a.m : 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) out[j] = expf(row[j] - shift) * inv;
}
