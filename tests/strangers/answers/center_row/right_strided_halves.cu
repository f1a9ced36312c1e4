// Harris' second reduction: threads in a row add numbers that lie 2 s apart, which meet in the banks.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int t = threadIdx.x;
    x += (long long)blockIdx.x * cols, y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = t; j < cols; j += THREADS) sum += x[j];
    partial[t] = sum;
    __syncthreads();
    for (int s = 1; s < THREADS; s *= 2) {
        const int i = 2 * s * t;
        if (i < THREADS) partial[i] += partial[i + s];
        __syncthreads();
    }
    for (int j = t; j < cols; j += THREADS) y[j] = x[j] - partial[0] / cols;
}
