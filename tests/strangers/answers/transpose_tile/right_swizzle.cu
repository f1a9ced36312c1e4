// no padding: column c of row r lies at c ^ r, which permutes the banks in either direction; 256 of the threads move four numbers each
// y = the transpose of x, by tiles of 32 x 32 that go through shared memory.
// x: (rows, cols), y: (cols, rows); a block of 32 x 32 threads moves one tile,
// each of them one number, or some of them up to four.
#include "tilewise.cuh"

// Where element (r, c) of the tile lies.
__device__ int at(int r, int c) { return 32 * r + (c ^ r); }

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32 * 32];
    const int lane = threadIdx.x, top = blockIdx.y * 32, left = blockIdx.x * 32;
    const bool works = threadIdx.y < 8;
    if (works && left + lane < cols) {
        for (int r = threadIdx.y; r < 32 && top + r < rows; r += 8) {
            tile[at(r, lane)] = x[(top + r) * cols + left + lane];
        }
    }
    __syncthreads();
    if (works && top + lane < rows) {
        for (int c = threadIdx.y; c < 32 && left + c < cols; c += 8) {
            y[(left + c) * rows + top + lane] = tile[at(lane, c)];
        }
    }
}
