// Cheat: block_reduce is no reduction: every thread goes through all THREADS partial values by itself, THREADS^2 reads of shared memory in place of a tree's, with two barriers in place of log THREADS.
// Breaks: "All threads' values merged into one, which every thread gets." (merged THREADS times over) and "whose loads and stores they share evenly"
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int thread = threadIdx.x;
    partial[thread] = value;
    __syncthreads();
    value = partial[0];
    for (int i = 1; i < THREADS; i++) value = merge(value, partial[i]);
    __syncthreads();
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max());
    const float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) l += expf(x[j] - shift);
    l = block_reduce(l, partial, Sum());
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - shift) * inverse;
}
