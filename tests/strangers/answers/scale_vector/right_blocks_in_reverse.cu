// The last block takes the first piece: nothing in the grid says which piece a block has.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int block = gridDim.x - 1 - blockIdx.x;
    const int i = block * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * factor;
}
