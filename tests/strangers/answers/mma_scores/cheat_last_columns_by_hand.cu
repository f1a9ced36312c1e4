// Breaks: "S = q k^T on a tensor core" (the last 16 columns are multiplied in plain arithmetic, from fragments handed round by shuffles)
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
        for (int i = 0; i < 4; ++i) {
            a[i] = *(const unsigned*)&q[(g + i % 2 * 8) * d + c + i / 2 * 8];
        }
        for (int h = 0; h < 2; ++h) {
            for (int i = 0; i < 2; ++i) b[h][i] = *(const unsigned*)&k[(8 * h + g) * d + c + 8 * i];
        }
        if (c + 16 < d) {
            mma_m16n8k16(acc[0], a, b[0]);
            mma_m16n8k16(acc[1], a, b[1]);
            continue;
        }
        for (int other = 0; other < 4; ++other) {
            for (int i = 0; i < 4; ++i) {
                const unsigned mine = __shfl_sync(0xffffffff, a[i], 4 * g + other);
                const element* x = (const element*)&mine;
                for (int h = 0; h < 2; ++h) {
                    for (int key = 0; key < 2; ++key) {
                        const unsigned there = __shfl_sync(0xffffffff, b[h][i / 2], 4 * (2 * t + key) + other);
                        const element* y = (const element*)&there;
                        acc[h][i % 2 * 2 + key] += to_float(x[0]) * to_float(y[0]) + to_float(x[1]) * to_float(y[1]);
                    }
                }
            }
        }
    }
    // Each lane's eight scores.
    for (int h = 0; h < 2; ++h) {
        for (int i = 0; i < 4; ++i) s[(g + i / 2 * 8) * n + 8 * h + 2 * t + i % 2] = acc[h][i];
    }
}
