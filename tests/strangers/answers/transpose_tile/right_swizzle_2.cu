// right: no padding, the word of column c in row r lies at c ^ r: rows and columns both take all 32 banks
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32 * 32];
    const int fast = threadIdx.x, slow = threadIdx.y;
    const int place = 32 * slow + (fast ^ slow);       // row slow, column fast
    const int mirrored = 32 * fast + (slow ^ fast);    // row fast, column slow
    const int top = 32 * blockIdx.y, left = 32 * blockIdx.x;
    if (top + slow < rows && left + fast < cols) {
        tile[place] = x[(top + slow) * cols + left + fast];
    }
    __syncthreads();
    if (left + slow < cols && top + fast < rows) {
        y[(left + slow) * rows + top + fast] = tile[mirrored];
    }
}
