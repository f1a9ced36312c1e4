// Right: a barrier at the head of every halving and one behind the loop, mean kept in a register.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        sum += x[j];
    }
    partial[thread] = sum;
    for (int half = THREADS >> 1; half >= 1; half >>= 1) {
        __syncthreads();
        if (thread < half) partial[thread] += partial[thread + half];
    }
    __syncthreads();
    const float mean = partial[0] / cols;
    for (int j = thread; j < cols; j += THREADS) y[j] = x[j] - mean;
}
