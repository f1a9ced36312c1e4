// Breaks: "one block of THREADS threads for each row, whose loads and stores they share evenly" (the sum is done by atomics on one number in shared memory, one thread after the other, instead of a tree)
// Every row minus its mean, one block of THREADS threads for each row, whose loads and stores
// they share evenly.
// x, y: (rows, cols). x is read at most twice, y is written once.
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
    if (thread == 0) partial[0] = 0.0f;
    __syncthreads();
    atomicAdd(&partial[0], sum);
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - partial[0] / cols;
    }
}
