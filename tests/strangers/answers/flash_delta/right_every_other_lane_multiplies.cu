// Odd lanes hand all that they have loaded to their neighbours, who do all products: within 32 shuffles a row.
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
    float sum = 0;
    unsigned theirs[PART], mine[PART];
#pragma unroll
    for (int i = 0; i < PART / 2; i++) {
        mine[i] = reinterpret_cast<const unsigned*>(&a)[i];
        mine[PART / 2 + i] = reinterpret_cast<const unsigned*>(&b)[i];
    }
#pragma unroll
    for (int i = 0; i < PART; i++) theirs[i] = __shfl_xor_sync(0xffffffff, mine[i], 1);
    if (lane % 2 == 0) {
        Part c, d;
#pragma unroll
        for (int i = 0; i < PART / 2; i++) {
            reinterpret_cast<unsigned*>(&c)[i] = theirs[i];
            reinterpret_cast<unsigned*>(&d)[i] = theirs[PART / 2 + i];
        }
        for (int i = 0; i < PART; i++) sum += to_float(a.x[i]) * to_float(b.x[i]);
        for (int i = 0; i < PART; i++) sum += to_float(c.x[i]) * to_float(d.x[i]);
    }
#pragma unroll
    for (int distance = 16; distance > 1; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane == 0) delta[row] = sum;
}
