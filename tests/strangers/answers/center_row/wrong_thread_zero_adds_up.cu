// Wrong: thread 0 adds up all 256 partial sums alone ("none adds up alone what the others have stored in shared memory").
// Values are right.
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
    if (thread == 0) {
        for (int t = 1; t < THREADS; ++t) {
            partial[0] += partial[t];
        }
    }
    __syncthreads();
    const float mean = partial[0] / cols;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
