// no padding: in row r of the tile column c lies at c ^ r, so rows and columns both take 32 banks.
#include "tilewise.cuh"

__device__ int slot(int r, int c) { return 32 * r + (c ^ r); }

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32 * 32];
    const int fast = threadIdx.x, slow = threadIdx.y;
    const int top = 32 * blockIdx.y, left = 32 * blockIdx.x;
    if (top + slow < rows && left + fast < cols) {
        tile[slot(slow, fast)] = x[(top + slow) * cols + (left + fast)];
    }
    __syncthreads();
    if (left + slow < cols && top + fast < rows) {
        y[(left + slow) * rows + (top + fast)] = tile[slot(fast, slow)];
    }
}
