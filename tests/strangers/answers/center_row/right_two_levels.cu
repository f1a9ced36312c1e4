// no tree: up to 16 threads add strided groups of partial sums, then every thread adds the groups by itself
// Every row minus its mean, one block of THREADS threads for each row, whose loads and stores
// they share evenly.
// x, y: (rows, cols). x is read at most twice, y is written once.
#include "tilewise.cuh"

#define GROUPS (THREADS < 16 ? THREADS : 16)

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    __shared__ float groups[GROUPS];
    const int thread = threadIdx.x;
    const long long offset = (long long)blockIdx.x * cols;
    const float* from = x + offset;
    float mine = 0.0f;
    for (int j = thread; j < cols; j += THREADS) mine += from[j];
    partial[thread] = mine;
    __syncthreads();
    if (thread < GROUPS) {
        float group = 0.0f;
        for (int i = thread; i < THREADS; i += GROUPS) group += partial[i];
        groups[thread] = group;
    }
    __syncthreads();
    float total = 0.0f;
    for (int i = 0; i < GROUPS; i++) total += groups[i];  // nobody writes there any more
    const float mean = total / cols;
    for (int j = thread; j < cols; j += THREADS) y[offset + j] = from[j] - mean;
}
