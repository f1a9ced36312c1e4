// Right: two float accumulators in each lane, butterfly from the nearest lane outwards, lane 31 stores.
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts. One warp for each row; D is 64 or 128.
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
    float even = 0.0f, odd = 0.0f;
#pragma unroll
    for (int pair = 0; pair < PART / 2; ++pair) {
        even += to_float(a.x[2 * pair]) * to_float(b.x[2 * pair]);
        odd += to_float(a.x[2 * pair + 1]) * to_float(b.x[2 * pair + 1]);
    }
    float whole = even + odd;
    for (int apart = 1; apart < 32; apart *= 2) {
        whole += __shfl_xor_sync(0xffffffff, whole, apart);
    }
    if (lane == 31) delta[row] = whole;  // everybody has it, one stores it
}
