// Starts each thread's maximum with x[thread] without asking whether that column exists: reads the next row or past the end when cols < THREADS, and takes a foreign maximum.
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
    int active = THREADS;
    while (active > 1) {
        active /= 2;
        __syncthreads();
        if (thread < active) {
            value = merge(value, partial[thread + active]);
            partial[thread] = value;
        }
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
    float m = x[thread];
    for (int j = thread + THREADS; j < cols; j += THREADS) m = fmaxf(m, x[j]);
    m = block_reduce(m, partial, Max());
    if (m == -INFINITY) m = 0.0f;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += expf(x[j] - m);
    sum = block_reduce(sum, partial, Sum());
    float inverse = sum > 0.0f ? 1.0f / sum : 0.0f;
    for (int j = thread; j < cols; j += THREADS) y[j] = inverse * expf(x[j] - m);
}
