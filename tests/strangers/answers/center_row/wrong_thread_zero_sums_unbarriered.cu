// Thread 0 adds up all partial sums and stores the mean in partial[0], which the others read without a barrier.
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
    __syncthreads();
    if (thread == 0) {
        float total = 0.0f;
        for (int i = 0; i < THREADS; i++) total += partial[i];
        partial[0] = total;
    }
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - partial[0] / cols;
    }
}
