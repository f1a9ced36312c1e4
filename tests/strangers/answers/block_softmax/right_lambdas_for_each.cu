// Right: generic lambdas: a for_each helper template takes a callable; reductions by shuffles inside block_reduce
#include "tilewise.cuh"

template <typename Body>
__device__ inline void for_each_column(int cols, Body&& body) {
    for (int j = threadIdx.x; j < cols; j += THREADS) body(j);
}

template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int thread = threadIdx.x;
    partial[thread] = value;
    __syncthreads();
#pragma unroll
    for (int half = THREADS / 2; half >= 1; half >>= 1) {
        if (thread < half) {
            const float other = partial[thread + half];
            partial[thread] = merge(partial[thread], other);
        }
        __syncthreads();
    }
    value = partial[0];
    __syncthreads();
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS) block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    x += size_t(blockIdx.x) * cols;
    y += size_t(blockIdx.x) * cols;
    const auto larger = [](float a, float b) { return a > b ? a : b; };
    const auto plus = [](float a, float b) { return a + b; };

    float m = -INFINITY;
    for_each_column(cols, [&](int j) { m = larger(m, x[j]); });
    m = block_reduce(m, partial, larger);
    const float base = isinf(m) ? 0.0f : m;

    float l = 0.0f;
    for_each_column(cols, [&](int j) { l += expf(x[j] - base); });
    l = block_reduce(l, partial, plus);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;

    for_each_column(cols, [&](int j) { y[j] = expf(x[j] - base) * inverse; });
}
