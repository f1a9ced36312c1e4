// Thread 0 adds the partial sums and all threads read the mean from a shared variable, but the barrier behind thread 0's work is missing: warps other than the first may read it before it is written.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    __shared__ float mean;
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        sum += x[j];
    }
    partial[thread] = sum;
    __syncthreads();
    if (thread == 0) {
        float total = 0.0f;
        for (int i = 0; i < THREADS; i++) total += partial[i];
        mean = total / cols;
    }
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
