// the lanes' sums go through a row of shared memory and are merged by halves with the barrier of a warp, since other warps may have left.
// delta of a row: the sum over its D columns of o times dout, the number that every dS of this
// row subtracts. Of a block's 16 warps each has one row, or some have up to four and the
// others none; D is 64 or 128.
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
    __shared__ float partial[16][32];
    float(&mine)[32] = partial[threadIdx.x / 32];
    auto product = [&](int i) { return to_float(a.x[i]) * to_float(b.x[i]); };
    float sum = product(PART - 1);
    for (int i = PART - 2; i >= 0; --i) sum += product(i);
    for (int lanes = 32; lanes > 1; lanes /= 2) {
        if (lane < lanes) mine[lane] = sum;
        __syncwarp();
        if (lane < lanes / 2) sum += mine[lane + lanes / 2];
        __syncwarp();
    }
    if (lane == 0) delta[row] = sum;
}
