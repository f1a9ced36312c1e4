// Loads and barriers properly, then reverses the tile in place by swaps of half the threads and stores without a second barrier, so threads of the upper half read what the lower half is still swapping.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int t = threadIdx.x, start = blockIdx.x * TILE, size = min(TILE, n - start);
    if (t < size) tile[t] = x[start + t];
    __syncthreads();
    if (t < size / 2) {
        const float keep = tile[t];
        tile[t] = tile[size - 1 - t];
        tile[size - 1 - t] = keep;
    }
    if (t < size) y[start + t] = tile[t];
}
