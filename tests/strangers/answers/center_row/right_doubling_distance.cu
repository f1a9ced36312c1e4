// neighbours first, then by growing distance, results in rank order; the mean goes into a register after the barrier
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
        const int left = 2 * apart * thread;
        if (left + apart < THREADS) {
            partial[left] = partial[left] + partial[left + apart];
        }
        __syncthreads();
    }
    const float mean = partial[0] / (float)cols;
    int j = thread;
    while (j < cols) {
        y[j] = x[j] - mean;
        j += THREADS;
    }
}
