// Cheat: against a count of bytes that sees ordinary loads only: everything comes by cp_async, and q is fetched twice (once per eight keys, in two passes over the columns), which the contract forbids; scores and mma count are right.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    __shared__ __align__(16) element q_tile[16 * 16], k_tile[8 * 16];
    const int lane = threadIdx.x, row = lane / 2, chunk = lane % 2 * 8;
    for (int j = 0; j < 2; j++)
        for (int c = 0; c < d; c += 16) {
            cp_async(&q_tile[row * 16 + chunk], &q[row * d + c + chunk]);
            if (row < 8) cp_async(&k_tile[row * 16 + chunk], &k[(8 * j + row) * d + c + chunk]);
            cp_async_commit();
            cp_async_wait<0>();
            __syncthreads();
            unsigned a[4], b[2];
            for (int i = 0; i < 4; i++)
                a[i] = *(const unsigned*)&q_tile[(g + i % 2 * 8) * 16 + i / 2 * 8 + 2 * t];
            for (int i = 0; i < 2; i++) b[i] = *(const unsigned*)&k_tile[g * 16 + 8 * i + 2 * t];
            mma_m16n8k16(acc[j], a, b);
            __syncthreads();
        }
    for (int j = 0; j < 2; j++) {
        s[g * n + 8 * j + 2 * t] = acc[j][0];
        s[g * n + 8 * j + 2 * t + 1] = acc[j][1];
        s[(g + 8) * n + 8 * j + 2 * t] = acc[j][2];
        s[(g + 8) * n + 8 * j + 2 * t + 1] = acc[j][3];
    }
}
