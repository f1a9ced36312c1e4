// As in NVIDIA's text on transposes: eight warps with four rows each. The other 24 have nothing to do but wait.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = threadIdx.x, down = threadIdx.y;
    const int top = blockIdx.y * 32, left = blockIdx.x * 32;
    if (down < 8) {
        for (int r = down; r < 32; r += 8) {
            if (top + r < rows && left + across < cols) {
                tile[r][across] = x[(long long)(top + r) * cols + left + across];
            }
        }
    }
    __syncthreads();
    if (down < 8) {
        for (int r = down; r < 32; r += 8) {
            if (left + r < cols && top + across < rows) {
                y[(long long)(left + r) * rows + top + across] = tile[across][r];
            }
        }
    }
}
