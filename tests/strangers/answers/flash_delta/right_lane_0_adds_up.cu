// style without shuffles: the lanes write to shared memory, and the first one adds the 32 numbers up; right
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
    __shared__ float parts[16][33];
    const int warp = threadIdx.x / 32;
    float mine = 0.0f;
    for (int i = PART - 1; i >= 0; i--) mine = fmaf(to_float(a.x[i]), to_float(b.x[i]), mine);
    parts[warp][lane] = mine;
    __syncwarp();
    if (lane != 0) return;
    float all = 0.0f;
    for (int i = 0; i < 32; i++) all += parts[warp][i];
    delta[row] = all;
}
