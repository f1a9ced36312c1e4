// The barrier that frees partial stands at the beginning of the reduction and at its end; exponents in base 2.
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
    __syncthreads();  // whoever used partial before is done
    partial[thread] = value;
    for (int half = THREADS / 2; half >= 1; half = half / 2) {
        __syncthreads();
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
    }
    __syncthreads();
    value = partial[0];
    __syncthreads();
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    const float log2e = 1.4426950408889634f;
    float m = -INFINITY, l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max());
    if (m == -INFINITY) m = 0.0f;
    for (int j = thread; j < cols; j += THREADS) l += exp2f((x[j] - m) * log2e);
    l = block_reduce(l, partial, Sum());
    const float inverse = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = thread; j < cols; j += THREADS) y[j] = exp2f((x[j] - m) * log2e) * inverse;
}
