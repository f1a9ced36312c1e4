// course style; instead of asking whether l is 0 it adds 1e-38f to it
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
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();  // the numbers that the others wrote
        if (thread < half) {
            partial[thread] = merge(partial[thread], partial[thread + half]);
        }
    }
    __syncthreads();
    float merged = partial[0];
    __syncthreads();  // the next reduction writes to partial[0], which all have to have read
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
    float norm = 1.0f / (l + 1e-38f);
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = expf(x[j] - shift) * norm;
    }
    // ### END SOLUTION
}
