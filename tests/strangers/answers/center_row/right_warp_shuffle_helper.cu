// Right: warp shuffles and one number for each warp instead of a tree in shared memory, function template with a compile-time loop
#include "tilewise.cuh"

constexpr int WARPS = (THREADS + 31) / 32;

template <int OFFSET>
__device__ __forceinline__ float down(float value) {
    value += __shfl_down_sync(0xffffffffu, value, OFFSET);
    if constexpr (OFFSET > 1) {
        return down<OFFSET / 2>(value);
    } else {
        return value;
    }
}

extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    __shared__ float partial[WARPS];
    const int thread = threadIdx.x, warp = thread >> 5, lane = thread & 31;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = thread; j < cols; j += THREADS) sum += x[j];
    sum = down<16>(sum);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < WARPS; ++w) total += partial[w];
    const float mean = total / static_cast<float>(cols);
    for (int j = thread; j < cols; j += THREADS) y[j] = x[j] - mean;
}
