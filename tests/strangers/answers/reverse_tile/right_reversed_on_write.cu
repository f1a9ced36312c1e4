// Right: turned around on the way in, ternary guards, a debugging printf under #ifdef DEBUG, assert-like comment
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = n - start < TILE ? n - start : TILE;
    const bool mine = thread < size;
#ifdef DEBUG
    if (thread == 0) printf("block %d: %d numbers\n", blockIdx.x, size);
#endif
    if (mine) tile[size - 1 - thread] = x[start + thread];
    __syncthreads();  // <- this was missing: warps do not run in step
    if (mine) y[start + thread] = tile[thread];
}
