// Every tile of TILE numbers is written backwards; the last tile may be shorter.
// A thread stores one number, or up to four, and passes at most four barriers.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);
    if (thread < size) {
        tile[thread] = x[start + thread];
    }
    // ### BEGIN SOLUTION
    __syncthreads();
    // ### END SOLUTION
    if (thread < size) {
        y[start + thread] = tile[size - 1 - thread];
    }
}
