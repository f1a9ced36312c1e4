// Warps by shuffles, then one number per warp in shared memory.
#include "tilewise.cuh"

template <typename F> __device__ float over_block(float x, float* partial, F f, float none) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int width = THREADS < 32 ? THREADS : 32;
    const unsigned mask = THREADS < 32 ? (1u << (THREADS % 32)) - 1 : 0xffffffffu;
    for (int apart = width / 2; apart; apart /= 2) x = f(x, __shfl_xor_sync(mask, x, apart));
    if (lane == 0) partial[warp] = x;
    __syncthreads();
    x = partial[0];
    for (int w = 1; w < (THREADS + 31) / 32; ++w) x = f(x, partial[w]);
    __syncthreads();
    return x;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const long long first = (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) m = fmaxf(m, x[first + j]);
    m = over_block(m, partial, [](float a, float b) { return fmaxf(a, b); }, -INFINITY);
    const float base = m == -INFINITY ? 0.0f : m;
    for (int j = threadIdx.x; j < cols; j += THREADS) l += expf(x[first + j] - base);
    l = over_block(l, partial, [](float a, float b) { return a + b; }, 0.0f);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) y[first + j] = expf(x[first + j] - base) * inverse;
}
