// right: every thread gets the total by exchanges of partners thread ^ apart, two barriers a step
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
    partial[thread] = sum;
    __syncthreads();
    for (int apart = 1; apart < THREADS; apart *= 2) {
        const float theirs = partial[thread ^ apart];
        __syncthreads();  // all have read
        sum += theirs;
        partial[thread] = sum;
        __syncthreads();  // all have written
    }
    const float mean = sum / cols;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
