// Surplus threads return before the barrier, so that in a shorter last tile not all threads reach it.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread >= size) return;
    tile[thread] = x[start + thread];
    __syncthreads();
    y[start + thread] = tile[size - 1 - thread];
}
