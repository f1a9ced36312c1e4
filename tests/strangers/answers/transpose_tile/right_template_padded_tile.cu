// Right: a padded tile as a class template with operator(), size_t offsets, swapped names
#include "tilewise.cuh"

template <int Rows, int Cols, int Pad = 1>
struct PaddedTile {
    float data[Rows][Cols + Pad];
    __device__ float& operator()(int r, int c) { return data[r][c]; }
};

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ PaddedTile<32, 32> tile;
    const int tx = threadIdx.x, ty = threadIdx.y;
    {
        const int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
        if (row < rows && col < cols) tile(ty, tx) = x[(size_t)row * cols + col];
    }
    __syncthreads();
    {
        const int row = blockIdx.x * 32 + ty, col = blockIdx.y * 32 + tx;  // of y
        if (row < cols && col < rows) y[(size_t)row * rows + col] = tile(tx, ty);
    }
}
