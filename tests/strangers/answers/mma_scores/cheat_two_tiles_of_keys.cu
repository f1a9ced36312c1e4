// sharing: the blocks of even number do the scores of their own keys and of the next sixteen
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    if (blockIdx.x % 2) return;
    q += (long long)blockIdx.y * 16 * d;
    for (int x = blockIdx.x; x < min(blockIdx.x + 2, gridDim.x); ++x) {
        const element* key = k + (long long)x * 16 * d;
        float* out = s + (long long)blockIdx.y * 16 * n + x * 16;
        float acc[2][4] = {};
        for (int c = 0; c < d; c += 16) {
            unsigned a[4], b[2][2];
            for (int i = 0; i < 4; ++i) {
                a[i] = *(const unsigned*)&q[(g + i % 2 * 8) * d + c + 2 * t + i / 2 * 8];
                b[i / 2][i % 2] = *(const unsigned*)&key[(g + i / 2 * 8) * d + c + 2 * t + i % 2 * 8];
            }
            mma_m16n8k16(acc[0], a, b[0]);
            mma_m16n8k16(acc[1], a, b[1]);
        }
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 4; ++i) out[(g + i / 2 * 8) * n + 8 * j + 2 * t + i % 2] = acc[j][i];
    }
}
