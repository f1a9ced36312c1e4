// Wrong: the reduction returns partial[0] with no barrier after the read, and the next one overwrites it.
// Breaks: "partial: THREADS numbers in shared memory, free again when the last thread has returned."
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
    partial[thread] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
        __syncthreads();
    }
    return partial[0];
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
