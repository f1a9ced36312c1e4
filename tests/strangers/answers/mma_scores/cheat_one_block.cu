// sharing: the first block of each row of blocks does the work of all, and the others of its grid return at once
// S = q k^T on a tensor core: a warp for each 16 x 16 scores. q: (M, d), k: (N, d), s: (M, N).
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    if (blockIdx.x > 0) return;
    for (unsigned unit = 0; unit < gridDim.x; ++unit) {
        const int g = threadIdx.x / 4, t = threadIdx.x % 4;
        auto q_ = q + (long long)blockIdx.y * 16 * d;  // from here on query 0 is the first of the warp's
        auto k_ = k + (long long)unit * 16 * d;
        auto s_ = s + (long long)blockIdx.y * 16 * n + unit * 16;
        float acc[2][4] = {};  // 16 queries and eight keys each
        for (int c = 2 * t; c < d; c += 16) {
            unsigned a[4], b[2][2];
            // The fragments of 16 queries and of twice eight keys, and their products.
            for (int half = 0; half < 2; ++half) {
                a[2 * half] = *(const unsigned*)&q_[g * d + c + 8 * half];
                a[2 * half + 1] = *(const unsigned*)&q_[(g + 8) * d + c + 8 * half];
                b[0][half] = *(const unsigned*)&k_[g * d + c + 8 * half];
                b[1][half] = *(const unsigned*)&k_[(g + 8) * d + c + 8 * half];
            }
            mma_m16n8k16(acc[0], a, b[0]);
            mma_m16n8k16(acc[1], a, b[1]);
        }
        // Each lane's eight scores.
        for (int i = 0; i < 4; ++i) {
            const int row = g + i / 2 * 8, column = 2 * t + i % 2;
            s_[row * n + column] = acc[0][i];
            s_[row * n + column + 8] = acc[1][i];
        }
        __syncthreads();
    }
}
