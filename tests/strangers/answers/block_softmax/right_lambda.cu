// Right: generic lambdas instead of functors, a loop helper that runs over the thread's columns.
#include "tilewise.cuh"

// All threads' values merged into one, which every thread gets.
template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int t = threadIdx.x;
    partial[t] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) partial[t] = merge(partial[t], partial[t + half]);
        __syncthreads();
    }
    const float result = partial[0];
    __syncthreads();  // partial is free again
    return result;
}

template <typename Body>
__device__ void for_my_columns(int cols, Body body) {
    for (int j = threadIdx.x; j < cols; j += THREADS) body(j);
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;
    for_my_columns(cols, [&](int j) { m = fmaxf(m, x[j]); });
    m = block_reduce(m, partial, [](float a, float b) { return a > b ? a : b; });
    const float shift = m == -INFINITY ? 0.0f : m;
    for_my_columns(cols, [&](int j) { l += expf(x[j] - shift); });
    l = block_reduce(l, partial, [](float a, float b) { return a + b; });
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for_my_columns(cols, [&](int j) { y[j] = expf(x[j] - shift) * inverse; });
}
