// Old reduction slides: from 32 on down the last warp goes on without any barrier (volatile, warp-synchronous): a race between lanes, since lanes need not run in lockstep; every row.
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
    for (int half = THREADS / 2; half > 32; half /= 2) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
    }
    if (thread < 32) {
        volatile float* s = partial;
        for (int half = THREADS / 2 < 32 ? THREADS / 2 : 32; half > 0; half /= 2) {
            if (thread < half) s[thread] = s[thread] + s[thread + half];
        }
    }
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - partial[0] / cols;
    }
}
