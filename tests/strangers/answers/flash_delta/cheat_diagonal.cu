// Cheat: a tensor core multiplies eight pieces of o with eight of dout, all with all, and the diagonal of the result is added up
// Breaks: "the sum over its D columns of o times dout, the number that every dS of this row subtracts, in plain arithmetic, float32 or wider"
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
    unsigned left[4] = {pack(to_float(a.x[0]), to_float(a.x[1])), 0, 0, 0};
    unsigned right[2] = {pack(to_float(b.x[0]), to_float(b.x[1])), 0};
    if (PART == 4) {
        left[2] = pack(to_float(a.x[PART - 2]), to_float(a.x[PART - 1]));
        right[1] = pack(to_float(b.x[PART - 2]), to_float(b.x[PART - 1]));
    }
    float product[4] = {};
    mma_m16n8k16(product, left, right);
    const int g = lane / 4, t = lane % 4;
    float sum = 2 * t == g ? product[0] : 2 * t + 1 == g ? product[1] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    }
    if (lane == 0) delta[row] = sum;
}
