// BREAKS: "The fragments of 16 queries and of twice eight keys, and their products."
// COSTS: three products on the tensor core for each one: added, subtracted from a sum of its own, and thrown away
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
        for (int i = 0; i < 4; ++i) a[i] = *(const unsigned*)&q[(g + i % 2 * 8) * d + c + i / 2 * 8];
        for (int h = 0; h < 2; ++h) {
            for (int i = 0; i < 2; ++i) b[h][i] = *(const unsigned*)&k[(g + 8 * h) * d + c + 8 * i];
        }
        for (int h = 0; h < 2; ++h) {
            float once[4] = {}, again[4] = {};
            mma_m16n8k16(once, a, b[h]);
            mma_m16n8k16(again, a, b[h]);
            for (int i = 0; i < 4; ++i) acc[h][i] += 0.5f * (once[i] + again[i]);
        }
    }
    // Each lane's eight scores.
    for (int h = 0; h < 2; ++h) {
        for (int i = 0; i < 4; ++i) s[(long long)(g + i / 2 * 8) * n + 8 * h + 2 * t + i % 2] = acc[h][i];
    }
}
