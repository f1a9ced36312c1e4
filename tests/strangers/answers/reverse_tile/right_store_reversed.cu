// Right: turned round while it is put into the tile, one barrier that all threads reach, then a straight copy out.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    const bool busy = thread < size;
    if (busy) tile[size - 1 - thread] = x[start + thread];
    __syncthreads();
    if (busy) y[start + thread] = tile[thread];
}
