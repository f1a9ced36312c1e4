// An unpadded tile whose columns are read in a for (;;) that each lane leaves out but in its own round, by continue: one lane after the other.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = r < rows && c < cols ? x[(long long)r * cols + c] : 0.0f;
    __syncthreads();
    float v = 0.0f;
    int turn = -1;
    for (;;) {
        if (++turn == 32) break;
        if (turn != threadIdx.x) continue;
        v = tile[threadIdx.x][threadIdx.y];
    }
    r = blockIdx.y * 32 + threadIdx.x;
    c = blockIdx.x * 32 + threadIdx.y;
    if (r < rows && c < cols) y[(long long)c * rows + r] = v;
}
