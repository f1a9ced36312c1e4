// Warps shuffle, and the first lane of each adds its sum to one number.
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float total;
    x += (long long)blockIdx.x * cols, y += (long long)blockIdx.x * cols;
    if (threadIdx.x == 0) total = 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) sum += x[j];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
    __syncthreads();
    const float mean = total / cols;
    for (int j = threadIdx.x; j < cols; j += THREADS) y[j] = x[j] - mean;
}
