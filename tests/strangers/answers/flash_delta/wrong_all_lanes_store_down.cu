// All lanes store what shuffle-down left them: the last one to write wins.
#include "tilewise.cuh"

struct alignas(D / 16) Part {
    element x[D / 32];
};

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    const int lane = threadIdx.x & 31;
    const long long row = ((long long)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= rows) return;
    const Part a = ((const Part*)(o + row * D))[lane], b = ((const Part*)(dout + row * D))[lane];
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < D / 32; ++i) sum = fmaf(to_float(a.x[i]), to_float(b.x[i]), sum);
    sum += __shfl_down_sync(~0u, sum, 16);
    sum += __shfl_down_sync(~0u, sum, 8);
    sum += __shfl_down_sync(~0u, sum, 4);
    sum += __shfl_down_sync(~0u, sum, 2);
    sum += __shfl_down_sync(~0u, sum, 1);
    delta[row] = sum;
}
