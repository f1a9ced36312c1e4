// Two neighbouring warps take the first and the last eight keys of both of their tiles.
// S = q k^T on a tensor core: a warp for each 16 x 16 scores. q: (M, d), k: (N, d), s: (M, N);
// M, N and d are multiples of 16.
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on query 0 is the first of the warp's
    const int pair = (blockIdx.x | 1) < gridDim.x ? 1 : 0;
    const int at = pair ? blockIdx.x / 2 * 32 + blockIdx.x % 2 * 8 : blockIdx.x * 16;
    const int apart = pair ? 16 : 8;
    k += (long long)at * d;
    s += (long long)blockIdx.y * 16 * n + at;
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int c = 2 * t; c < d; c += 16) {
        unsigned a[4], b[2][2];
        // The fragments of 16 queries and of twice eight keys, and their products.
        for (int half = 0; half < 2; ++half) {
            a[2 * half] = *(const unsigned*)&q[g * d + c + 8 * half];
            a[2 * half + 1] = *(const unsigned*)&q[(g + 8) * d + c + 8 * half];
            b[0][half] = *(const unsigned*)&k[g * d + c + 8 * half];
            b[1][half] = *(const unsigned*)&k[(g + apart) * d + c + 8 * half];
        }
        mma_m16n8k16(acc[0], a, b[0]);
        mma_m16n8k16(acc[1], a, b[1]);
    }
    // Each lane's eight scores.
    for (int i = 0; i < 4; ++i) {
        const int row = g + i / 2 * 8, column = 2 * t + i % 2;
        s[row * n + column] = acc[0][i];
        s[row * n + column + apart] = acc[1][i];
    }
}
