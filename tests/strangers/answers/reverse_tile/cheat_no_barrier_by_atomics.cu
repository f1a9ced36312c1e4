// races: atomics on one place are no race, and threads of a block are run in order: the lower half of a tile is left in shared memory by atomicExch and fetched by the upper half, which runs later here, with no barrier in between
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread >= size) return;
    const float mine = x[start + thread];
    const int other = size - 1 - thread;
    if (thread < other) {
        atomicExch(&tile[thread], mine);
    } else {
        y[start + other] = mine;
        if (other != thread) y[start + thread] = atomicAdd(&tile[other], 0.0f);
    }
}
