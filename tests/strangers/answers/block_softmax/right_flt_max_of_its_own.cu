// Right: pairs of neighbours; an FLT_MAX of its own, and a printf for debugging.
// Softmax of every row, without infinities of its own; a thread takes pairs of neighbours.
#include "tilewise.cuh"
#define FLT_MAX 3.402823466e+38f

enum { FULL = 0xffffffff, NWARPS = THREADS / 32 };

template <bool MAXIMUM>
__device__ float both(float a, float b) {
    if (MAXIMUM) return max(a, b);
    return a + b;
}

// Warps by shuffles; then the first warp merges the warps' numbers, and tells the others.
template <bool MAXIMUM>
__device__ float block_all(float v, float* slots) {
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        v = both<MAXIMUM>(v, __shfl_down_sync(0xffffffff, v, offset));
    if (lane == 0) slots[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = slots[lane % NWARPS];  // the same eight numbers four times
        for (int offset = NWARPS / 2; offset > 0; offset /= 2)
            v = both<MAXIMUM>(v, __shfl_xor_sync(0xffffffff, v, offset));
        __syncwarp();
        if (lane == 0) slots[NWARPS] = v;
    }
    __syncthreads();
    return slots[NWARPS];
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float a[NWARPS + 1], b[NWARPS + 1];
    const int64_t offset = int64_t(blockIdx.x) * cols;
    x += offset;
    y += offset;
    const bool pairs = reinterpret_cast<uintptr_t>(x) % 8 == 0
        && reinterpret_cast<uintptr_t>(y) % 8 == 0;
    const int n2 = pairs ? cols / 2 : 0;  // pairs first, then what is left
    const float2* x2 = reinterpret_cast<const float2*>(x);
    float2* y2 = reinterpret_cast<float2*>(y);

    float m = -FLT_MAX;  // of a row of -inf, too: then all exponentials are 0
    for (int i = threadIdx.x; i < n2; i += blockDim.x) {
        const float2 p = x2[i];
        m = fmaxf(m, fmaxf(p.x, p.y));
    }
    for (int j = 2 * n2 + threadIdx.x; j < cols; j += blockDim.x) m = fmaxf(m, x[j]);
    m = block_all<true>(m, a);

    float l = 0.0f;
    for (int i = threadIdx.x; i < n2; i += blockDim.x) {
        const float2 p = x2[i];
        l += expf(p.x - m) + expf(p.y - m);
    }
    for (int j = 2 * n2 + threadIdx.x; j < cols; j += blockDim.x) l += expf(x[j] - m);
    l = block_all<false>(l, b);
#ifdef DEBUG
    if (threadIdx.x == 0) printf("row %d: m = %f, l = %f\n", blockIdx.x, m, l);
#endif
    const float r = l == 0.0f ? 0.0f : 1.0f / l;
    for (int i = threadIdx.x; i < n2; i += blockDim.x) {
        const float2 p = x2[i];
        y2[i] = make_float2(expf(p.x - m) * r, expf(p.y - m) * r);
    }
    for (int j = 2 * n2 + threadIdx.x; j < cols; j += blockDim.x) y[j] = expf(x[j] - m) * r;
}
