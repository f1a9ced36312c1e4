// right: the rows of 16-bit numbers as rows of 32-bit words, fragments written out one by one, pairs of scores by pointers
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
        const unsigned* upper = (const unsigned*)(q + g * d + c);
        const unsigned* lower = (const unsigned*)(q + (g + 8) * d + c);
        a[0] = upper[0];
        a[1] = lower[0];
        a[2] = upper[4];  // four words, eight columns on
        a[3] = lower[4];
        for (int half = 1; half >= 0; --half) {
            const unsigned* key = (const unsigned*)(k + (8 * half + g) * d + c);
            b[half][0] = key[0];
            b[half][1] = key[4];
        }
        mma_m16n8k16(acc[0], a, b[0]);
        mma_m16n8k16(acc[1], a, b[1]);
    }
    // Each lane's eight scores.
    float* here = s + (long long)g * n + 2 * t;
    for (int below = 0; below < 2; ++below) {
        for (int right = 0; right < 2; ++right) {
            here[8 * right] = acc[right][2 * below];
            here[8 * right + 1] = acc[right][2 * below + 1];
        }
        here += 8LL * n;
    }
}
