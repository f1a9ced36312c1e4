// No care for rows of -inf: the shift is -inf and the row comes out as NaN; everything else is right.
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
        if (thread < half) {
            partial[thread] = merge(partial[thread], partial[thread + half]);
        }
        __syncthreads();
    }
    const float result = partial[0];
    __syncthreads();  // partial may be used again
    return result;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    const float max_all = block_reduce(m, partial, Max());
    float l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) l += expf(x[j] - max_all);
    const float inverse = 1.0f / block_reduce(l, partial, Sum());
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - max_all) * inverse;
}
