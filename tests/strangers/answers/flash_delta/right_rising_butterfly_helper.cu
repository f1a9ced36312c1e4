// Helper function for the warp's sum with rising distances, fmaf, lane row % 32 stores.
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts. One warp for each row; D is 64 or 128.
#include "tilewise.cuh"

// What one lane holds of a row: neighbours in memory, so that it comes with one load.
constexpr int PART = D / 32;
struct alignas(2 * PART) Part {
    element x[PART];
};

__device__ __forceinline__ float sum_of_warp(float value) {
    value += __shfl_xor_sync(0xffffffff, value, 1);
    value += __shfl_xor_sync(0xffffffff, value, 2);
    value += __shfl_xor_sync(0xffffffff, value, 4);
    value += __shfl_xor_sync(0xffffffff, value, 8);
    return value + __shfl_xor_sync(0xffffffff, value, 16);
}

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;  // the whole warp leaves
    size_t at = size_t(row) * D + lane * PART;
    Part a = *reinterpret_cast<const Part*>(o + at);
    Part b = *reinterpret_cast<const Part*>(dout + at);
    float share = 0.0f;
#pragma unroll
    for (int i = PART - 1; i >= 0; --i) share = fmaf(to_float(a.x[i]), to_float(b.x[i]), share);
    const float total = sum_of_warp(share);
    if (lane == row % 32) delta[row] = total;
}
