// Style of a beginner: the lanes of a warp add one after another, 31 barriers of a warp; shows in barriers of warps.
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
    for (int step = 1; step < 32; step++) {
        __syncwarp();
        if (thread % 32 == step) partial[thread] += partial[thread - 1];
    }
    __syncthreads();
    if (thread < 8) {
        for (int step = 1; step < 8; step++) {
            __syncwarp(0xff);
            if (thread == step) partial[32 * thread + 31] += partial[32 * thread - 1];
        }
    }
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - partial[255] / cols;
    }
}
