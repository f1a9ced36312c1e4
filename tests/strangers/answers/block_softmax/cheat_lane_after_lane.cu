// Lanes of a warp merge one after another with __syncwarp between; 31 steps in place of five.
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
    // ### BEGIN SOLUTION
    partial[thread] = value;
    for (int step = 1; step < 32; step++) {
        __syncwarp();
        if (thread % 32 == step) partial[thread] = merge(partial[thread], partial[thread - 1]);
    }
    for (int w = 1; w < THREADS / 32; w++) {
        __syncthreads();
        if (thread == 32 * w + 31) partial[thread] = merge(partial[thread], partial[thread - 32]);
    }
    __syncthreads();
    float merged = partial[THREADS - 1];
    __syncthreads();
    return merged;
    // ### END SOLUTION
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    // ### BEGIN SOLUTION from thread_softmax
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) {  // a warp reads 32 neighbours
        m = fmaxf(m, x[j]);
    }
    m = block_reduce(m, partial, Max());
    float shift = m == -INFINITY ? 0.0f : m;
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        l += expf(x[j] - shift);
    }
    l = block_reduce(l, partial, Sum());
    float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = expf(x[j] - shift) * norm;
    }
    // ### END SOLUTION
}
