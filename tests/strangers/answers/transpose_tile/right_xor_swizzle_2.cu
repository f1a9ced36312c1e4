// Right: XOR swizzle instead of padding, as CUTLASS does; a lambda for the swizzle
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32 * 32];
    const auto at = [](unsigned r, unsigned c) -> unsigned { return r * 32u + (c ^ r); };
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols) {
        tile[at(threadIdx.y, threadIdx.x)] = x[row * cols + col];
    }
    __syncthreads();
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = tile[at(threadIdx.x, threadIdx.y)];
    }
}
