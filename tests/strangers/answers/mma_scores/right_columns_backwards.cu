// From the last sixteen columns to the first; the fragments of the next ones are loaded before the products of these.
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};
    unsigned a[4], b[2][2];
    auto bring = [&](int c) {
        for (int i = 0; i < 4; ++i) {
            a[i] = *(const unsigned*)&q[(g + i % 2 * 8) * (long long)d + c + 2 * t + i / 2 * 8];
            b[i / 2][i % 2] = *(const unsigned*)&k[(g + i / 2 * 8) * (long long)d + c + 2 * t + i % 2 * 8];
        }
    };
    bring(d - 16);
    for (int c = d - 16; c >= 0; c -= 16) {
        unsigned a_now[4], b_now[2][2];
        for (int i = 0; i < 4; ++i) a_now[i] = a[i], b_now[i / 2][i % 2] = b[i / 2][i % 2];
        if (c > 0) bring(c - 16);
        mma_m16n8k16(acc[0], a_now, b_now[0]);
        mma_m16n8k16(acc[1], a_now, b_now[1]);
    }
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 4; ++i)
            s[(g + i / 2 * 8) * (long long)n + 8 * j + 2 * t + i % 2] = acc[j][i];
}
