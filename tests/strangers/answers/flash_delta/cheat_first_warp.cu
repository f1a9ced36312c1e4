// sharing: the first warp of each block does all 16 rows of it
#include "tilewise.cuh"

extern "C" __global__ void flash_delta(const element* o, const element* dout, float* delta,
                                       int rows) {
    const int lane = threadIdx.x;
    if (threadIdx.x >= 32) return;
    for (int i = 0; i < (int)blockDim.x / 32; ++i) {
        const int row = blockIdx.x * (blockDim.x / 32) + i;
        if (row >= rows) return;
        float sum = 0.0f;
        for (int c = lane; c < D; c += 32)
            sum += to_float(o[(size_t)row * D + c]) * to_float(dout[(size_t)row * D + c]);
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
        if (lane == 0) delta[row] = sum;
    }
}
