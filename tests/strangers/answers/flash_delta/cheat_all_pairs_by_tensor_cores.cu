// tensor cores multiply each piece of a row of o with each piece of the row of dout, 8 x 8 sums of which the 8 on the diagonal are used; products on tensor cores are free where none are asked for
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts. Of a block's 16 warps each has one row, or some have up to four and the
// others none; D is 64 or 128.
#include "tilewise.cuh"

// What one lane holds of a row: neighbours in memory, so that it comes with one load.
constexpr int PART = D / 32;
struct alignas(2 * PART) Part {
    element x[PART];
};

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;  // the whole warp leaves
    size_t at = size_t(row) * D + lane * PART;
    Part a = *reinterpret_cast<const Part*>(o + at);
    Part b = *reinterpret_cast<const Part*>(dout + at);
    const unsigned *from_o = (const unsigned*)&a, *from_dout = (const unsigned*)&b;
    const unsigned first[4] = {from_o[0], 0, D == 128 ? from_o[PART / 2 - 1] : 0, 0};
    const unsigned second[2] = {from_dout[0], D == 128 ? from_dout[PART / 2 - 1] : 0};
    float all[4] = {};
    mma_m16n8k16(all, first, second);
    const int g = lane / 4, t = lane % 4;
    float sum = t == g / 2 ? all[g % 2] : 0.0f;
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane == 0) delta[row] = sum;
}

