// Waits for its own warp only (__syncwarp), but reads what other warps wrote: a race as soon as a tile has more than 32 numbers.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread < size) {
        tile[thread] = x[start + thread];
    }
    __syncwarp();
    if (thread < size) {
        y[start + thread] = tile[size - 1 - thread];
    }
}
