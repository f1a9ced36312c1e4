// Right: fragments by a lambda that reads a pair of neighbours as one word, store by float2, nested ternaries avoided
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on query 0 is the first of the warp's
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    const auto pair = [d](const element* x, int row, int column) -> unsigned {
        return *reinterpret_cast<const unsigned*>(x + row * d + column);
    };
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int c = 2 * t; c < d; c += 16) {
        unsigned a[4] = {pair(q, g, c), pair(q, g + 8, c), pair(q, g, c + 8), pair(q, g + 8, c + 8)};
        for (int half = 0; half < 2; ++half) {
            unsigned b[2] = {pair(k, 8 * half + g, c), pair(k, 8 * half + g, c + 8)};
            mma_m16n8k16(acc[half], a, b);
        }
    }
    for (int half = 0; half < 2; ++half) {
        float* corner = s + g * (long long)n + 8 * half + 2 * t;
        *reinterpret_cast<float2*>(corner) = make_float2(acc[half][0], acc[half][1]);
        *reinterpret_cast<float2*>(corner + 8LL * n) = make_float2(acc[half][2], acc[half][3]);
    }
}
