// right: each number is put where it will be read, backwards, and after the barrier the tile is copied out in order
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float turned[TILE];
    const float* from = x + blockIdx.x * TILE;
    float* to = y + blockIdx.x * TILE;
    const int left = n - blockIdx.x * TILE;
    const int last = (left < TILE ? left : TILE) - 1;
    const int mine = threadIdx.x;
    const bool busy = mine <= last;
    if (busy) turned[last - mine] = from[mine];
    __syncthreads();
    if (busy) to[mine] = turned[mine];
}
