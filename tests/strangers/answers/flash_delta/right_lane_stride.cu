// llm.c style: lane, lane + 32, ... one element at a time; right
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
    const element* mine = o + size_t(row) * D;
    const element* theirs = dout + size_t(row) * D;
    float sum = 0.0f;
    for (int c = lane; c < D; c += 32) sum += to_float(mine[c]) * to_float(theirs[c]);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffff, sum, apart);
    if (lane == 0) delta[row] = sum;
}
