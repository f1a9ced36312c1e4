// The barrier stands inside `if (thread < size)`: not all threads reach it in a shorter last tile.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread < size) {
        tile[thread] = x[start + thread];
        __syncthreads();
        y[start + thread] = tile[size - 1 - thread];
    }
}
