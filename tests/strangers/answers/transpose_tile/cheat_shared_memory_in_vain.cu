// shared least ("Every number goes through shared memory"): what is written and read there is counted, not whether it is handed on; each of 256 threads turns 2 x 2 numbers in its registers, and writes them to a place of its own, which it reads back; what is odd goes the honest way
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float mine[4][256];
    __shared__ float tile[32][33];
    const int thread = threadIdx.y * 32 + threadIdx.x;
    if (rows % 2 || cols % 2 || (size_t)x % 8 || (size_t)y % 8) {
        int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
        if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
        __syncthreads();
        row = blockIdx.y * 32 + threadIdx.x, col = blockIdx.x * 32 + threadIdx.y;
        if (row < rows && col < cols) y[col * rows + row] = tile[threadIdx.x][threadIdx.y];
        return;
    }
    if (thread >= 256) return;
    // a warp takes 16 x 8 numbers: 4 lanes along a row of x, 8 along a column
    const int lane = thread % 32, warp = thread / 32;
    const int r = blockIdx.y * 32 + warp / 4 * 16 + lane / 4 * 2, c = blockIdx.x * 32 + warp % 4 * 8 + lane % 4 * 2;
    float a[2][2];
    const bool whole = true;
    if (whole) {
        if (r >= rows || c >= cols) return;
        for (int i = 0; i < 2; i++) {
            const float2 two = *(const float2*)&x[(r + i) * cols + c];
            a[i][0] = two.x, a[i][1] = two.y;
        }
    } else {
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                if (r + i < rows && c + j < cols) a[i][j] = x[(r + i) * cols + c + j];
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (r + i < rows && c + j < cols) {
                volatile float* place = &mine[2 * i + j][thread];
                *place = a[i][j];
                a[i][j] = *place;
            }
    if (whole) {
        for (int j = 0; j < 2; j++) *(float2*)&y[(c + j) * rows + r] = make_float2(a[0][j], a[1][j]);
    } else {
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++)
                if (r + i < rows && c + j < cols) y[(c + j) * rows + r + i] = a[i][j];
    }
}
