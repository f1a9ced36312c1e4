// Every thread merges with its partner in each round, and each thread's share is met once with an online maximum and sum, so x is read twice.
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
    for (int bit = THREADS / 2; bit > 0; bit >>= 1) {
        partial[thread] = value;
        __syncthreads();
        value = merge(value, partial[thread ^ bit]);
        __syncthreads();
    }
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        const float a = x[j], top = fmaxf(m, a);
        if (top > -INFINITY) {
            l = l * expf(m - top) + expf(a - top);
            m = top;
        }
    }
    const float all = block_reduce(m, partial, Max());
    const float shift = all > -INFINITY ? all : 0.0f;
    const float total = block_reduce(l * expf(m - shift), partial, Sum());
    const float inverse = total > 0.0f ? 1.0f / total : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - shift) * inverse;
}
