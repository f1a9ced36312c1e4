// Right: Kahan-free partial sums, shuffle-down by warp then one warp for the warps' sums, broadcast through shared memory
#include "tilewise.cuh"

#define FULL 0xffffffffu

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_xor_sync(FULL, value, offset);
    return value;
}

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[32];
    const int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        sum += x[j];
    }
    sum = warp_sum(sum);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    sum = warp_sum(lane < THREADS / 32 ? partial[lane] : 0.0f);
    const float mean = sum / cols;
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = x[j] - mean;
    }
}
