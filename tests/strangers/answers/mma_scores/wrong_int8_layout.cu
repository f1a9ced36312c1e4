// Wrong: port of the 8-bit layout (a lane holds four neighbours 4t to 4t+3 of row g, then of row g+8): the columns agree in A and B, but a[1] and a[2] hold the wrong rows; shows with random q.
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
        for (int i = 0; i < 4; i++)
            a[i] = *(const unsigned*)&q[(g + i / 2 * 8) * d + c + 4 * t + i % 2 * 2];
        for (int j = 0; j < 2; j++) {
            unsigned b[2];
            for (int i = 0; i < 2; i++)
                b[i] = *(const unsigned*)&k[(8 * j + g) * d + c + 4 * t + 2 * i];
            mma_m16n8k16(acc[j], a, b);
        }
    }
    for (int j = 0; j < 2; j++) {
        s[g * n + 8 * j + 2 * t] = acc[j][0];
        s[g * n + 8 * j + 2 * t + 1] = acc[j][1];
        s[(g + 8) * n + 8 * j + 2 * t] = acc[j][2];
        s[(g + 8) * n + 8 * j + 2 * t + 1] = acc[j][3];
    }
}
