// style: no padding: columns are swapped by an exclusive or; struct with operator()
#include "tilewise.cuh"

struct Swizzled {
    float* at;
    __device__ float& operator()(int row, int col) const { return at[row * 32 + (col ^ row)]; }
};

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float memory[32 * 32];
    const Swizzled tile{memory};
    const int a = threadIdx.x, b = threadIdx.y;
    const int top = blockIdx.y * 32, left = blockIdx.x * 32;
    if (top + b < rows && left + a < cols) {
        tile(b, a) = x[(top + b) * cols + left + a];
    }
    __syncthreads();
    if (top + a < rows && left + b < cols) {
        y[(left + b) * rows + top + a] = tile(a, b);
    }
}
