// the functors of the starter, a bit-shifted tree, and a one-line anchor
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int thread = threadIdx.x;
    partial[thread] = value;
    __syncthreads();
    for (int width = THREADS >> 1; width != 0; width >>= 1) {
        if (thread < width) {
            partial[thread] = merge(partial[thread], partial[thread + width]);
        }
        __syncthreads();
    }
    const float all = partial[0];
    __syncthreads();  // everybody has read it: the memory is free again
    return all;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;

    float top = -INFINITY;
    for (int j = thread; j < cols; j += THREADS) top = Max()(top, x[j]);
    top = block_reduce(top, partial, Max());
    if (top == -INFINITY) top = 0.0f;

    float mass = 0.0f;
    for (int j = thread; j < cols; j += THREADS) mass += expf(x[j] - top);
    mass = block_reduce(mass, partial, Sum());

    for (int j = thread; j < cols; j += THREADS) {
        y[j] = mass > 0.0f ? expf(x[j] - top) / mass : 0.0f;
    }
}
