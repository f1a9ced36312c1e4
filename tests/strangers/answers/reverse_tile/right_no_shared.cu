// nothing is handed over at all: a thread reads the number it stores from the mirrored place (as coalesced as the other way, no shared memory, so no race)
// Every tile of TILE numbers is written backwards; the last tile may be shorter.
// A thread stores one number, or up to four.
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    const int first = blockIdx.x * TILE;
    const int last = min(first + TILE, n) - 1;  // of this tile
    for (int i = first + threadIdx.x; i <= last; i += blockDim.x) {
        y[i] = x[last - (i - first)];
    }
}
