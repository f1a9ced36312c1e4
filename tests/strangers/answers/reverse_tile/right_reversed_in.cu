// Turns round while writing to the tile and reads in order.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int start = blockIdx.x * TILE, t = threadIdx.x;
    const int size = n - start < TILE ? n - start : TILE;
    const bool busy = t < size;
    float mine = 0.0f;
    if (busy) mine = x[start + t];
    if (busy) tile[size - 1 - t] = mine;
    __syncthreads();
    if (busy) y[start + t] = tile[t];
}
