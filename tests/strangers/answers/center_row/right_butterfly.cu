// a butterfly in shared memory: every thread adds its partner's number and ends with the whole sum; two barriers a step, reached by all.
#include "tilewise.cuh"

__device__ float sum_of_all(float value, float* partial) {
    const int thread = threadIdx.x;
    for (int apart = 1; apart < THREADS; apart *= 2) {
        partial[thread] = value;
        __syncthreads();
        value += partial[thread ^ apart];
        __syncthreads();
    }
    return value;
}

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const long long begin = (long long)blockIdx.x * cols, end = begin + cols;
    float mine = 0.0f;
    for (long long i = begin + threadIdx.x; i < end; i += THREADS) mine += x[i];
    const float mean = sum_of_all(mine, partial) / cols;
    for (long long i = begin + threadIdx.x; i < end; i += THREADS) y[i] = x[i] - mean;
}
