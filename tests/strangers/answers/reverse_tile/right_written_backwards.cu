// the tile is written backwards and read straight on; all threads meet at one barrier, then work on what is theirs.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int start = blockIdx.x * TILE;
    const int last = min(TILE, n - start) - 1;
    x += start;
    y += start;
    for (int i = threadIdx.x; i <= last; i += blockDim.x) {
        tile[last - i] = x[i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i <= last; i += blockDim.x) {
        y[i] = tile[i];
    }
}
