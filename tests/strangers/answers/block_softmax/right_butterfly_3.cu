// right: reduction by exchanges of partners, pieces of the row by their number, the zero row by a factor
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
    for (int apart = THREADS / 2; apart > 0; apart >>= 1) {
        partial[thread] = value;
        __syncthreads();
        value = merge(value, partial[thread ^ apart]);
        __syncthreads();
    }
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    const int pieces = cols > thread ? (cols - thread + THREADS - 1) / THREADS : 0;
    float top = -INFINITY;
    for (int i = 0; i < pieces; ++i) top = fmaxf(x[thread + i * THREADS], top);
    top = block_reduce(top, partial, Max());
    const bool blank = top == -INFINITY;
    if (blank) top = 0.0f;
    float sum = 0.0f;
    for (int i = 0; i < pieces; ++i) sum += expf(x[thread + i * THREADS] - top);
    sum = block_reduce(sum, partial, Sum());
    if (blank) sum = 1.0f;
    for (int i = 0; i < pieces; ++i) {
        const int j = thread + i * THREADS;
        y[j] = expf(x[j] - top) / sum;
    }
}
