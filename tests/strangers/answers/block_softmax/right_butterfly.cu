// warps by shuffles, then every thread reads all warps' numbers from shared memory; two separate arrays
#include "tilewise.cuh"

enum { LANES = THREADS < 32 ? THREADS : 32, WARPS = THREADS / LANES };

template <bool MAX>
__device__ float joined(float a, float b) {
    return MAX ? fmaxf(a, b) : a + b;
}

template <bool MAX>
__device__ float over_block(float value, float (&of_warps)[WARPS]) {
    for (int step = 1; step < LANES; step *= 2) {
        value = joined<MAX>(value, __shfl_xor_sync(0xffffffffu, value, step));
    }
    if (threadIdx.x % LANES == 0) of_warps[threadIdx.x / LANES] = value;
    __syncthreads();
    value = of_warps[0];
    for (int w = 1; w < WARPS; ++w) value = joined<MAX>(value, of_warps[w]);
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float maxima[WARPS], sums[WARPS];
    const size_t row = (size_t)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = threadIdx.x; j < cols; j += THREADS) m = fmaxf(m, x[row + j]);
    m = over_block<true>(m, maxima);
    m = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) l += expf(x[row + j] - m);
    l = over_block<false>(l, sums);
    const float inverse = 1.0f / (l == 0.0f ? 1.0f : l);
    for (int j = threadIdx.x; j < cols; j += THREADS) y[row + j] = expf(x[row + j] - m) * inverse;
}
