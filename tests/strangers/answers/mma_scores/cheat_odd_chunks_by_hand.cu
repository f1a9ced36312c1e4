// Cheat: tensor cores multiply the even chunks of 16 columns only; the odd ones are done in plain arithmetic on fragments that lanes hand each other by shuffles, so that every score still hangs on the tensor core.
// Breaks: "S = q k^T on a tensor core: a warp for each 16 x 16 scores."
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
        for (int i = 0; i < 4; ++i) {
            a[i] = *(const unsigned*)&q[(g + i % 2 * 8) * d + c + i / 2 * 8];
            b[i / 2][i % 2] = *(const unsigned*)&k[(g + i / 2 * 8) * d + c + i % 2 * 8];
        }
        if (c / 16 % 2 == 0) {
            for (int h = 0; h < 2; ++h) mma_m16n8k16(acc[h], a, b[h]);
            continue;
        }
        for (int u = 0; u < 4; ++u) {
            for (int w = 0; w < 2; ++w) {  // columns 2u, 2u + 1 of the chunk's half w
                for (int h = 0; h < 2; ++h) {
                    for (int i = 0; i < 4; ++i) {
                        unsigned one = __shfl_sync(0xffffffff, a[2 * w + i / 2], 4 * g + u);
                        unsigned two = __shfl_sync(0xffffffff, b[h][w], 4 * (2 * t + i % 2) + u);
                        const element* x = (const element*)&one;
                        const element* z = (const element*)&two;
                        acc[h][i] += to_float(x[0]) * to_float(z[0]);
                        acc[h][i] += to_float(x[1]) * to_float(z[1]);
                    }
                }
            }
        }
    }
    for (int h = 0; h < 2; ++h) {
        for (int i = 0; i < 4; ++i) {
            s[(g + i / 2 * 8) * n + 8 * h + 2 * t + i % 2] = acc[h][i];
        }
    }
}
