// Style: warps add up by shuffles, the first warp merges the eight sums.
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
    for (int apart = 16; apart > 0; apart /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    }
    const int warps = THREADS / 32;
    if (thread % 32 == 0) partial[thread / 32] = sum;
    __syncthreads();
    if (thread < 32) {
        float total = thread < warps ? partial[thread] : 0.0f;
        for (int apart = 16; apart > 0; apart /= 2) {
            total += __shfl_xor_sync(0xffffffff, total, apart);
        }
        if (thread == 0) partial[warps] = total / cols;
    }
    __syncthreads();
    const float mean = partial[warps];
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
