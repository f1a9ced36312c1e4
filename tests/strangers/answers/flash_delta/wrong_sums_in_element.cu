// Wrong: products and partial sums are rounded to the 16-bit element type before delta becomes float32; off by about 1e-2 relative in bfloat16, infinite in float16 where the row's sum passes 65504.
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
    element products[PART];
    for (int i = 0; i < PART; i++) {
        products[i] = to_element(to_float(a.x[i]) * to_float(b.x[i]));
    }
    element mine = products[0];
    for (int i = 1; i < PART; i++) {
        mine = to_element(to_float(mine) + to_float(products[i]));
    }
    float sum = to_float(mine);
    for (int mask = 16; mask > 0; mask >>= 1) {
        sum = to_float(to_element(sum + __shfl_xor_sync(0xffffffff, sum, mask)));
    }
    if (lane == 0) delta[row] = sum;
}
