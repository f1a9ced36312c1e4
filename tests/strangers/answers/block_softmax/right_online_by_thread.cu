// a tree by growing distance with the barrier that frees the memory in front of it, and one reading for maximum and sum
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
    __syncthreads();  // nobody reads the last reduction's result any more
    partial[thread] = value;
    for (int apart = 1; apart < THREADS; apart <<= 1) {
        __syncthreads();
        if (thread % (2 * apart) == 0) {
            partial[thread] = merge(partial[thread], partial[thread + apart]);
        }
    }
    __syncthreads();
    const float all = partial[0];
    __syncthreads();
    return all;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        const float a = x[j];
        if (a > m) {
            l = (l > 0.0f ? l * expf(m - a) : 0.0f) + 1.0f;
            m = a;
        } else if (a > -INFINITY) {
            l += expf(a - m);
        }
    }
    const float top = block_reduce(m, partial, Max());
    const float part = l > 0.0f ? l * expf(m - top) : 0.0f;
    const float total = block_reduce(part, partial, Sum());
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = total > 0.0f ? expf(x[j] - top) / total : 0.0f;
    }
}
