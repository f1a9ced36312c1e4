// style: every warp repeats the whole reduction for itself, by shuffles over all THREADS numbers: THREADS / 32 times the work, and a second barrier round
// COSTS: every warp repeats the whole reduction for itself, by shuffles over all THREADS numbers: THREADS / 32 times the work, and a second barrier round
// Softmax of every row, one block of THREADS threads for each row, whose loads and stores they
// share evenly. x, y: (rows, cols). x is read at most three times, y is written once. A row of
// -inf gives zeros.
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
    __syncthreads();
    partial[thread] = value;
    __syncthreads();
    float all = partial[thread % 32];
    for (int i = 32 + thread % 32; i < THREADS; i += 32) all = merge(all, partial[i]);
    for (int apart = 16; apart > 0; apart /= 2) {
        if (THREADS > apart) all = merge(all, __shfl_xor_sync(0xffffffff, all, apart));
    }
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
    m = block_reduce(m, partial, Max());
    const float at = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) l += expf(x[j] - at);
    l = block_reduce(l, partial, Sum());
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - at) * inverse;
}
