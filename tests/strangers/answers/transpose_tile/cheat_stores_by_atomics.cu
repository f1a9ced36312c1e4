// Against sectors: strided stores as atomicExch, no shared memory.
#include "tilewise.cuh"


extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) atomicExch(&y[col * rows + row], x[row * cols + col]);
}
