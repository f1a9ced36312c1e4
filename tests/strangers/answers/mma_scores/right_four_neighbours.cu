// right: a sum over columns may go in any order, so each lane takes the columns 4 t to 4 t + 3 of both queries and keys as its pairs; scores are stored in pairs of a row.
// S = q k^T on a tensor core: a warp for each 16 x 16 scores. q: (M, d), k: (N, d), s: (M, N);
// M, N and d are multiples of 16.
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on query 0 is the first of the warp's
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int c = 2 * t; c < d; c += 16) {
        unsigned a[4], b[2][2];
        // The fragments of 16 queries and of twice eight keys, and their products.
        const element *mine = q + (c + 2 * t), *keys = k + (c + 2 * t);
        for (int i = 0; i < 2; ++i) {
            a[2 * i] = *(const unsigned*)(mine + g * d + 2 * i);
            a[2 * i + 1] = *(const unsigned*)(mine + (g + 8) * d + 2 * i);
            b[0][i] = *(const unsigned*)(keys + g * d + 2 * i);
            b[1][i] = *(const unsigned*)(keys + (g + 8) * d + 2 * i);
        }
        mma_m16n8k16(acc[1], a, b[1]);
        mma_m16n8k16(acc[0], a, b[0]);
    }
    // Each lane's eight scores.
    for (int half = 0; half < 2; ++half) {
        float* out = s + (g + 8 * half) * n + 2 * t;
        for (int j = 0; j < 2; ++j, out += 8) {
            out[0] = acc[j][2 * half];
            out[1] = acc[j][2 * half + 1];
        }
    }
}
