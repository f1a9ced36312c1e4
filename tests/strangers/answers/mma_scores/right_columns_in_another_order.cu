// a sum may be taken in any order, as long as A and B agree: each lane takes four neighbouring columns 4t to 4t + 3, the first two as "2t, 2t + 1", the others as "2t + 8, 2t + 9".
// S = q k^T on a tensor core: a warp for each 16 x 16 scores. q: (M, d), k: (N, d), s: (M, N);
// M, N and d are multiples of 16.
#include "tilewise.cuh"

__device__ unsigned two(const element* x) { return *(const unsigned*)x; }

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on query 0 is the first of the warp's
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int column = 4 * t; column < d; column += 16) {
        unsigned a[4], b[2][2];
        // The fragments of 16 queries and of twice eight keys, and their products.
        const element* top = q + g * d + column;
        const element* bottom = top + 8 * d;
        a[0] = two(top), a[1] = two(bottom), a[2] = two(top + 2), a[3] = two(bottom + 2);
        for (unsigned(&keys)[2] : b) {
            const element* key = k + (g + 8 * (&keys - b)) * d + column;
            keys[0] = two(key), keys[1] = two(key + 2);
        }
        mma_m16n8k16(acc[0], a, b[0]);
        mma_m16n8k16(acc[1], a, b[1]);
    }
    // Each lane's eight scores.
    for (int i = 0; i < 8; ++i) {
        const int row = g + (i & 2) * 4, column = 2 * t + (i & 1) + (i & 4) * 2;
        s[(long long)row * n + column] = acc[i / 4][i % 4];
    }
}
