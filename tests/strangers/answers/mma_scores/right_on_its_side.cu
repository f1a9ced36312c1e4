// computed on its side, S^T = K Q^T: the keys are the first factor, the queries the second, and a lane stores down columns (eight lanes fill a sector)
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
        const element* upper = k + g * d + c;
        const element* lower = upper + 8 * d;
        a[0] = *(const unsigned*)upper;
        a[1] = *(const unsigned*)lower;
        a[2] = *(const unsigned*)(upper + 8);
        a[3] = *(const unsigned*)(lower + 8);
        for (int f = 1; f >= 0; --f) {
            const element* query = q + (8 * f + g) * d + c;
            b[f][0] = *(const unsigned*)query;
            b[f][1] = *(const unsigned*)(query + 8);
            mma_m16n8k16(acc[f], a, b[f]);
        }
    }
    // Each lane's eight scores.
    for (int f = 0; f < 2; ++f) {
        for (int i = 0; i < 4; ++i) {
            const int key = g + i / 2 * 8, query = 8 * f + 2 * t + i % 2;
            s[query * n + key] = acc[f][i];
        }
    }
}
