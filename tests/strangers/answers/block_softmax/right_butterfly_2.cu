// reduction as a butterfly in shared memory, after which every thread holds the total in a register; maximum and sum of a thread in one reading, merged afterwards
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
    for (int apart = 1; apart < THREADS; apart *= 2) {
        partial[thread] = value;
        __syncthreads();
        const float other = partial[thread ^ apart];
        __syncthreads();  // read: free for the next round, or the next reduction
        value = merge(value, other);
    }
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float top = -INFINITY, sum = 0.0f;  // of this thread's columns
    for (int j = thread; j < cols; j += THREADS) {
        const float value = x[j];
        if (value > top) {
            sum = sum * expf(top - value) + 1.0f;
            top = value;
        } else if (value != -INFINITY) {
            sum += expf(value - top);
        }
    }
    const float m = block_reduce(top, partial, Max());
    if (top != -INFINITY) sum *= expf(top - m);
    const float l = block_reduce(sum, partial, Sum());
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = l > 0.0f ? expf(x[j] - m) / l : 0.0f;
    }
}
