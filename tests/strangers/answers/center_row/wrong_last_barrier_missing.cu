// The barrier before partial[0] is read is missing.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    const long long first = (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += x[first + j];
    partial[thread] = sum;
    for (int half = THREADS / 2; half; half >>= 1) {
        __syncthreads();
        if (thread < half) partial[thread] += partial[thread + half];
    }
    __syncwarp();
    const float mean = partial[0] / cols;
    for (int j = thread; j < cols; j += THREADS) y[first + j] = x[first + j] - mean;
}
