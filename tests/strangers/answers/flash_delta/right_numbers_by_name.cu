// Names the numbers of a lane one by one, two of them or four
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
    float sum = 0;
    sum += to_float(a.x[0]) * to_float(b.x[0]) + to_float(a.x[1]) * to_float(b.x[1]);
    if constexpr (PART == 4) sum += to_float(a.x[2]) * to_float(b.x[2]) + to_float(a.x[3]) * to_float(b.x[3]);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane == 0) delta[row] = sum;
}
