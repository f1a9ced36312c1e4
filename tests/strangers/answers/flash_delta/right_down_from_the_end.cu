// right: products in an array first, summed from the end, shfl_down by all lanes, only lane 0 stores
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts, in plain float arithmetic. Of a block's 16 warps each has one row, or some
// have up to four and the others none; D is 64 or 128.
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
    float products[PART];
#pragma unroll
    for (int i = 0; i < PART; ++i) products[i] = to_float(b.x[i]) * to_float(a.x[i]);
    float total = products[PART - 1];
#pragma unroll
    for (int i = PART - 2; i >= 0; --i) total = products[i] + total;
    for (int step = 1; step < 32; step += step) {
        const float right = __shfl_down_sync(0xffffffff, total, step);
        total += right;
    }
    if (lane != 0) return;
    delta[row] = total;
}
