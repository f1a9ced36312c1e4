// no tile at all: each thread reads its mirror image from main memory, within the tile
// Every tile of TILE numbers is written backwards; the last tile may be shorter.
// A thread stores one number, or up to four.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread < size) {
        y[start + thread] = x[start + size - 1 - thread];
    }
}
