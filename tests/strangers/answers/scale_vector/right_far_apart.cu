// Right within its contract: a block's warps scale pieces that lie gridDim apart, from all over the vector, so that the block has no 256 consecutive elements: a block's share is spread over memory.
// Breaks: "A block scales 256 elements" (its own tile of them; a block is a tile in the lesson)
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int per_warp = 256 / warps;
    const long long first = ((long long)warp * gridDim.x + blockIdx.x) * per_warp;
    for (int j = lane; j < per_warp; j += 32) {
        if (first + j < n) y[first + j] = factor * x[first + j];
    }
}
