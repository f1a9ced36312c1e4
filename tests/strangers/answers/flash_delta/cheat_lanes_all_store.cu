// BREAKS: "a thread stores one delta, or up to four"
// COSTS: all 32 lanes of a warp hold and store the same delta: 32 stores for one number, racing
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts, in plain arithmetic, float32 or wider. A block of 16 warps has 16 rows, and a
// thread stores one delta, or up to four; D is 64 or 128.
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
    float sum = 0.0f;
    for (int i = 0; i < PART; ++i) sum += to_float(a.x[i]) * to_float(b.x[i]);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffff, sum, apart);
    delta[row] = sum;
}
