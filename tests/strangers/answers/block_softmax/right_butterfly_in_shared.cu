// Right: butterfly over shared memory (partner thread ^ apart) with two barriers a step, so every thread ends with the result and partial is free.
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
    for (int apart = 1; apart < THREADS; apart <<= 1) {
        partial[thread] = value;
        __syncthreads();
        const float other = partial[thread ^ apart];
        __syncthreads();
        value = merge(value, other);
    }
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float top = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) top = fmaxf(top, x[j]);
    top = block_reduce(top, partial, Max());
    const bool empty = top == -INFINITY;
    const float shift = empty ? 0.0f : top;
    float mass = 0.0f;
    for (int j = thread; j < cols; j += THREADS) mass += expf(x[j] - shift);
    mass = block_reduce(mass, partial, Sum());
    const float share = empty ? 0.0f : 1.0f / mass;
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - shift) * share;
}
