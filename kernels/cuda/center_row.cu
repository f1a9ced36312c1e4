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
    for (int half = THREADS / 2; half > 0; half /= 2) {
        // ### BEGIN SOLUTION
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
        // ### END SOLUTION
    }
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - partial[0] / cols;
    }
}
