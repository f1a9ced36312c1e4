// Breaks: "Bytes moved: q is loaded once per 16 keys, k once per 16 queries" (no fragment is kept: each of the two products loads the fragment of q for itself)
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
        for (int half = 0; half < 2; ++half) {
            for (int i = 0; i < 4; ++i) {
                a[i] = *(const unsigned*)&q[(g + i % 2 * 8) * d + c + i / 2 * 8];
            }
            for (int i = 0; i < 2; ++i) {
                b[half][i] = *(const unsigned*)&k[(g + 8 * half) * d + c + 8 * i];
            }
            mma_m16n8k16(acc[half], a, b[half]);
        }
    }
    // Each lane's eight scores.
    for (int half = 0; half < 2; ++half) {
        for (int i = 0; i < 4; i += 2) {
            s[(long long)(g + i / 2 * 8) * n + 8 * half + 2 * t] = acc[half][i];
            s[(long long)(g + i / 2 * 8) * n + 8 * half + 2 * t + 1] = acc[half][i + 1];
        }
    }
}
