// Right: the tree in a template function with the number of threads as a parameter, shifts for halves.
#include "tilewise.cuh"

template <int N>
__device__ float tree_sum(float value, float* shared) {
    static_assert((N & (N - 1)) == 0, "a power of two");
    const int me = threadIdx.x;
    shared[me] = value;
    __syncthreads();
#pragma unroll
    for (int half = N >> 1; half != 0; half >>= 1) {
        if (me < half) shared[me] += shared[me + half];
        __syncthreads();
    }
    return shared[0];
}

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const long long begin = (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) sum += x[begin + j];
    const float mean = tree_sum<THREADS>(sum, partial) / cols;
    for (int j = threadIdx.x; j < cols; j += THREADS) y[begin + j] = x[begin + j] - mean;
}
