// Right: __shfl_down_sync as in NVIDIA's blog, a template warp sum, fmaf.
#include "tilewise.cuh"

constexpr int PART = D / 32;
struct alignas(2 * PART) Part {
    element x[PART];
};

template <int OFFSET>
__device__ __forceinline__ float warp_sum(float value) {
    value += __shfl_down_sync(0xffffffffu, value, OFFSET);
    if constexpr (OFFSET > 1) {
        return warp_sum<OFFSET / 2>(value);
    } else {
        return value;
    }
}

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    const int lane = threadIdx.x & 31;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= rows) return;
    const size_t at = size_t(row) * D + lane * PART;
    const Part a = *reinterpret_cast<const Part*>(o + at);
    const Part b = *reinterpret_cast<const Part*>(dout + at);
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < PART; ++i) sum = fmaf(to_float(a.x[i]), to_float(b.x[i]), sum);
    sum = warp_sum<16>(sum);
    if (lane == 0) delta[row] = sum;
}
