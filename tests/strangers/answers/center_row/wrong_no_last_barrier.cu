// Barrier at the top of each halving and none after the loop: thread 0's last addition races with everybody's reading of partial[0].
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += x[j];
    partial[thread] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
    }
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - partial[0] / cols;
    }
}
