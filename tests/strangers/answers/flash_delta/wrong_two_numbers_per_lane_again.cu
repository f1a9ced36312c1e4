// Wrong: takes exactly two numbers from each lane as in a half2 port, so for D = 128 half of every row is left out; D = 64 is right.
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
    // a lane has two neighbours of the row, like a __half2
    float2 x = {to_float(a.x[0]), to_float(a.x[1])};
    float2 y = {to_float(b.x[0]), to_float(b.x[1])};
    float dot = x.x * y.x + x.y * y.y;
#define ADD_FROM(apart) dot += __shfl_xor_sync(0xffffffff, dot, apart)
    ADD_FROM(16);
    ADD_FROM(8);
    ADD_FROM(4);
    ADD_FROM(2);
    ADD_FROM(1);
    if (lane == 0) delta[row] = dot;
}
