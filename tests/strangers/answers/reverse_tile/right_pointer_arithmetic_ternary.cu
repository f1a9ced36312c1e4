// Right: volatile-free pointer walking, min by a macro, barrier wrapped in an inline function
#include "tilewise.cuh"

#define SMALLER(a, b) ((a) < (b) ? (a) : (b))

namespace course {
__device__ inline void wait_for_all() { __syncthreads(); }
}  // namespace course

extern "C" __global__ void reverse_tile(const float* x, float* y, int n) {
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = SMALLER(TILE, n - start);
    const bool mine = thread < size;
    if (mine) {
        tile[size - 1 - thread] = *(x + start + thread);
    }
    course::wait_for_all();
    if (mine) {
        float* out = y + start;
        out[thread] = tile[thread];
    }
}
