// style: lambda for a pair of elements
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
        const auto pair = [](const element* at) { return *reinterpret_cast<const unsigned*>(at); };
        a[0] = pair(q + g * d + c);
        a[1] = pair(q + (g + 8) * d + c);
        a[2] = pair(q + g * d + c + 8);
        a[3] = pair(q + (g + 8) * d + c + 8);
        for (int half = 0; half < 2; ++half) {
            const element* key = k + (8 * half + g) * d + c;
            b[half][0] = pair(key);
            b[half][1] = pair(key + 8);
            mma_m16n8k16(acc[half], a, b[half]);
        }
    }
    // Each lane's eight scores.
    for (int half = 0; half < 2; ++half) {
        for (int i = 0; i < 4; ++i) {
            s[(g + i / 2 * 8) * n + 8 * half + 2 * t + i % 2] = acc[half][i];
        }
    }
}
