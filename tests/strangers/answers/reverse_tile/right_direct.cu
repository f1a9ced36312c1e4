// style: no shared memory: a thread reads forwards and stores backwards
// Every tile of TILE numbers is written backwards; the last tile may be shorter.
// A thread stores one number, or up to four.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    const int start = blockIdx.x * TILE, size = min(TILE, n - start);
    for (int i = threadIdx.x; i < size; i += blockDim.x) y[start + size - 1 - i] = x[start + i];
}
