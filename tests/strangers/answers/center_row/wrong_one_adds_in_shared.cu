// All threads load, but of what they bring to shared memory thread 0 adds up everything, while the others wait.
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
    for (int start = 0; start < cols; start += THREADS) {
        partial[thread] = start + thread < cols ? x[start + thread] : 0.0f;
        __syncthreads();
        if (thread == 0) for (int i = 0; i < THREADS; i++) sum += partial[i];
        __syncthreads();
    }
    partial[thread] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
    }
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - partial[0] / cols;
    }
}
