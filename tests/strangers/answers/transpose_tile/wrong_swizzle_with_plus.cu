// Wrong: no padding but a rotation of each row by its number, undone with the wrong row at the ragged border: the guard of the store is that of the load.
// Breaks: "y = the transpose of x", x: (rows, cols) of any size.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
    const bool inside = row < rows && col < cols;
    if (inside) tile[ty][(tx + ty) % 32] = x[row * cols + col];
    __syncthreads();
    if (inside) y[(blockIdx.x * 32 + ty) * rows + blockIdx.y * 32 + tx] = tile[tx][(ty + tx) % 32];
}
