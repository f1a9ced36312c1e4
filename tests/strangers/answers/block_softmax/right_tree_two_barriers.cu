// Right: unrolled tree with constexpr halves by recursion-free templates, an identity-free merge, merge by std-like functor objects
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// All threads' values merged into one, which every thread gets. partial: THREADS numbers in
// shared memory, free again when the last thread has returned. THREADS is a power of two.
template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int thread = threadIdx.x;
    partial[thread] = value;
#pragma unroll
    for (int half = THREADS >> 1; half; half >>= 1) {
        __syncthreads();
        if (thread < half) partial[thread] = value = merge(value, partial[thread + half]);
    }
    __syncthreads();
    const float all = partial[0];
    __syncthreads();
    return all;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max{});
    m = isinf(m) ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) l += expf(x[j] - m);
    l = block_reduce(l, partial, Sum{});
    const float r = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - m) * r;
}
