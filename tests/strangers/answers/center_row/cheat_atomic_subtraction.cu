// Cheat: x is copied to y on the first pass, and the mean is taken off there later by atomic additions, which read and write y again
// Breaks: "y is written once"
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        const float value = x[j];
        sum += value;
        y[j] = value;
    }
    partial[thread] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
    }
    const float mean = partial[0] / cols;
    for (int j = thread; j < cols; j += THREADS) {
        atomicAdd(&y[j], -mean);
    }
}
