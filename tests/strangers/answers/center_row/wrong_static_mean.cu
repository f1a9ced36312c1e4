// Thread 0 leaves the mean in a static variable, as a C programmer shares a number between calls: it is one for the whole grid, and blocks that run at a time take each other's mean. Shows wherever there are two rows, on a GPU by chance.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    static float mean;
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
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
    }
    if (thread == 0) {
        mean = partial[0] / cols;
    }
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
