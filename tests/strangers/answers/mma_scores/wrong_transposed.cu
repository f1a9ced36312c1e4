// Wrong: row and column of D are confused, each 16 x 16 tile of s is stored transposed; shows everywhere off the tile's diagonal, but not where q = k on diagonal tiles.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int c = 0; c < d; c += 16) {
        unsigned a[4];
        a[0] = *(const unsigned*)&q[g * d + c + 2 * t];
        a[1] = *(const unsigned*)&q[(g + 8) * d + c + 2 * t];
        a[2] = *(const unsigned*)&q[g * d + c + 2 * t + 8];
        a[3] = *(const unsigned*)&q[(g + 8) * d + c + 2 * t + 8];
        for (int j = 0; j < 2; j++) {
            unsigned b[2];
            b[0] = *(const unsigned*)&k[(8 * j + g) * d + c + 2 * t];
            b[1] = *(const unsigned*)&k[(8 * j + g) * d + c + 2 * t + 8];
            mma_m16n8k16(acc[j], a, b);
        }
    }
    for (int j = 0; j < 2; j++) {
        s[(8 * j + 2 * t) * n + g] = acc[j][0];
        s[(8 * j + 2 * t + 1) * n + g] = acc[j][1];
        s[(8 * j + 2 * t) * n + g + 8] = acc[j][2];
        s[(8 * j + 2 * t + 1) * n + g + 8] = acc[j][3];
    }
}
