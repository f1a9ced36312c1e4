// A memory fence in place of a barrier: it orders this thread's own accesses but nobody waits for the others, so a thread may read a place that is not yet written (a race on any tile of more than one element).
// Every tile of TILE numbers is written backwards; the last tile may be shorter.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread < size) {
        tile[thread] = x[start + thread];
    }
    __threadfence_block();  // make the write visible to the block
    if (thread < size) {
        y[start + thread] = tile[size - 1 - thread];
    }
}
