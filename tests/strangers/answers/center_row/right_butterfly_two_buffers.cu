// right: a butterfly through two buffers in turn, after which every thread has the sum in a register; one barrier a step.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[2][THREADS];
    const int thread = threadIdx.x;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float total = 0.0f;
    for (int j = thread; j < cols; j += THREADS) total += from[j];
    int turn = 0;
    for (int apart = 1; apart < THREADS; apart *= 2) {
        partial[turn][thread] = total;
        __syncthreads();
        total += partial[turn][thread ^ apart];
        turn ^= 1;
    }
    const float mean = total / cols;
    for (int j = thread; j < cols; j += THREADS) to[j] = from[j] - mean;
}
