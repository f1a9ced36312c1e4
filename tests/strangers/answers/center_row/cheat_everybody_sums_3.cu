// BREAKS: "one block of THREADS threads for each row, whose loads and stores they share evenly"
// COSTS: no tree: each thread adds up all THREADS partial sums itself, THREADS^2 additions and shared loads for 2 THREADS
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
    sum = 0.0f;
    for (int i = 0; i < THREADS; i++) sum += partial[i];
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - sum / cols;
    }
}
