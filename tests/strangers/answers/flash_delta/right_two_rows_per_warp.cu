// Half warps: 16 lanes serve a row each with one load of 16 or 8 bytes; eight warps have two rows each, the others leave.
#include "tilewise.cuh"

constexpr int EACH = D / 16;
struct alignas(2 * EACH) Some {
    element x[EACH];
};
extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta, int rows) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp >= 8) return;
    const int row = blockIdx.x * 16 + warp * 2 + lane / 16;
    float s = 0.0f;
    if (row < rows) {
        const size_t at = size_t(row) * D + lane % 16 * EACH;
        const Some a = *(const Some*)(o + at), b = *(const Some*)(dout + at);
#pragma unroll
        for (int e = 0; e < EACH; e++) s += to_float(a.x[e]) * to_float(b.x[e]);
    }
    for (int d = 8; d > 0; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d, 16);
    if (lane % 16 == 0 && row < rows) delta[row] = s;
}
