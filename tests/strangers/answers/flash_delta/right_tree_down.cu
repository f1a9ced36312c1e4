// style: right; products by pairs with fmaf, a template that halves the warp by recursion with shfl_down, the last lane to know is lane 0
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts. Of a block's 16 warps each has one row, or some have up to four and the
// others none; D is 64 or 128.
#include "tilewise.cuh"

// What one lane holds of a row: neighbours in memory, so that it comes with one load.
constexpr int PART = D / 32;
struct alignas(2 * PART) Part {
    element x[PART];
};

template <int DISTANCE> __device__ inline float down(float x) {
    return down<DISTANCE / 2>(x + __shfl_down_sync(0xffffffff, x, DISTANCE));
}
template <> __device__ inline float down<0>(float x) { return x; }

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;  // the whole warp leaves
    size_t at = size_t(row) * D + lane * PART;
    Part a = *reinterpret_cast<const Part*>(o + at);
    Part b = *reinterpret_cast<const Part*>(dout + at);
    float even = 0.0f, odd = 0.0f;
    for (int i = 0; i < PART; i += 2) {
        even = fmaf(to_float(b.x[i]), to_float(a.x[i]), even);
        odd = fmaf(to_float(b.x[i + 1]), to_float(a.x[i + 1]), odd);
    }
    const float whole = down<16>(even + odd);
    if (lane == 0) delta[row] = whole;
}
