// Gives each thread a run of neighbouring columns instead of every THREADS-th: all values right, but at every moment the 32 lanes of a warp lie cols / THREADS numbers apart and touch up to eight times the sectors; with cols <= THREADS nothing shows.
// Softmax of every row, one block of THREADS threads for each row. x, y: (rows, cols).
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
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
        __syncthreads();
    }
    value = partial[0];
    __syncthreads();
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    const int share = (cols + THREADS - 1) / THREADS;
    const int from = min(cols, thread * share), to = min(cols, from + share);
    float m = -INFINITY;
    for (int j = from; j < to; ++j) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max());
    if (m == -INFINITY) m = 0.0f;
    float l = 0.0f;
    for (int j = from; j < to; ++j) l += expf(x[j] - m);
    l = block_reduce(l, partial, Sum());
    for (int j = from; j < to; ++j) y[j] = l > 0.0f ? expf(x[j] - m) / l : 0.0f;
}
