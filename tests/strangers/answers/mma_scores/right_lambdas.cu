// lambdas for "two neighbours as one register", and the layout spelled out once
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    auto pair = [d](const element* x, int row, int column) {
        return *reinterpret_cast<const unsigned*>(x + row * d + column);
    };
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int c = 2 * t; c < d; c += 16) {
        unsigned a[4] = {pair(q, g, c), pair(q, g + 8, c), pair(q, g, c + 8), pair(q, g + 8, c + 8)};
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            unsigned b[2] = {pair(k, 8 * half + g, c), pair(k, 8 * half + g, c + 8)};
            mma_m16n8k16(acc[half], a, b);
        }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float* upper = s + g * n + 8 * half + 2 * t;
        float* lower = upper + 8 * n;
        upper[0] = acc[half][0];
        upper[1] = acc[half][1];
        lower[0] = acc[half][2];
        lower[1] = acc[half][3];
    }
}
