// 16 bytes a lane: at D = 128 half a warp has a row, at D = 64 a quarter; the first warps of a block do its 16 rows.
#include "tilewise.cuh"

struct alignas(16) Eight {
    element x[8];
};

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    const int lanes = D / 8;
    const int mine = threadIdx.x / lanes, part = threadIdx.x % lanes;
    const int row = blockIdx.x * (blockDim.x / 32) + mine;
    float sum = 0.0f;
    if (mine < blockDim.x / 32 && row < rows) {
        const Eight a = *(const Eight*)(o + (size_t)row * D + 8 * part);
        const Eight b = *(const Eight*)(dout + (size_t)row * D + 8 * part);
        for (int i = 0; i < 8; ++i) sum += to_float(a.x[i]) * to_float(b.x[i]);
    }
    for (int d = lanes / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (mine < blockDim.x / 32 && row < rows && part == 0) delta[row] = sum;
}
