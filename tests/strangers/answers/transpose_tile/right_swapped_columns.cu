// No padding: element c of row r of the tile lies in column c ^ r, for loading and for storing.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32 * 32];
    auto place = [](int r, int c) { return 32 * r + (c ^ r); };
    const int a = threadIdx.y, b = threadIdx.x;
    const int top = 32 * blockIdx.y, left = 32 * blockIdx.x;
    if (top + a < rows && left + b < cols) {
        tile[place(a, b)] = x[(long long)(top + a) * cols + left + b];
    }
    __syncthreads();
    if (top + b < rows && left + a < cols) {
        y[(long long)(left + a) * rows + top + b] = tile[place(b, a)];
    }
}
