// Lazy: thread 0 adds up the whole row alone, while the others wait: not shared evenly. Shows for every row longer than 1 (values are right).
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {

    __shared__ float mean;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int j = 0; j < cols; j++) sum += x[j];
        mean = sum / cols;
    }
    __syncthreads();
    for (int j = threadIdx.x; j < cols; j += THREADS) y[j] = x[j] - mean;
}
