// Two warps share two rows by halves, by way of shared memory; each stores one delta.
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
    __shared__ float halves[16][2];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int base = blockIdx.x * 16 + warp / 2 * 2;
    int half = warp % 2;
    int row = base + lane / 16;
    float sum = 0;
    if (row < rows) {
        size_t at = size_t(row) * D + half * (D / 2) + lane % 16 * PART;
        Part a = *reinterpret_cast<const Part*>(o + at);
        Part b = *reinterpret_cast<const Part*>(dout + at);
        for (int i = 0; i < PART; i++) sum += to_float(a.x[i]) * to_float(b.x[i]);
    }
    for (int distance = 8; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane % 16 == 0) halves[warp / 2 * 2 + lane / 16][half] = sum;
    __syncthreads();
    if (lane == 0 && base + half < rows) delta[base + half] = halves[warp][0] + halves[warp][1];
}
