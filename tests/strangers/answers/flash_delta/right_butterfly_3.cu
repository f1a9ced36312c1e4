// a recursive template for the butterfly of shuffles, and size_t everywhere
#include "tilewise.cuh"

constexpr int PART = D / 32;
struct alignas(2 * PART) Part {
    element x[PART];
};

template <int DISTANCE>
__device__ __forceinline__ float all_lanes(float x) {
    x += __shfl_xor_sync(0xffffffff, x, DISTANCE);
    if constexpr (DISTANCE > 1) {
        return all_lanes<DISTANCE / 2>(x);
    } else {
        return x;
    }
}

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    const int lane = threadIdx.x % 32;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;  // the whole warp leaves
    const size_t at = size_t(row) * D + lane * PART;
    const Part a = *reinterpret_cast<const Part*>(o + at);
    const Part b = *reinterpret_cast<const Part*>(dout + at);
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < PART; ++i) sum += to_float(a.x[i]) * to_float(b.x[i]);
    sum = all_lanes<16>(sum);
    if (lane == 0) delta[row] = sum;
}
