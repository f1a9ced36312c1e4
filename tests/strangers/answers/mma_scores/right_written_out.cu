// style: written out, pointers to the lane's own rows, stores of two numbers at once
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
        const element *q_row = q + g * d + c, *k_row = k + g * d + c;
        a[0] = *reinterpret_cast<const unsigned*>(q_row);
        a[1] = *reinterpret_cast<const unsigned*>(q_row + 8 * d);
        a[2] = *reinterpret_cast<const unsigned*>(q_row + 8);
        a[3] = *reinterpret_cast<const unsigned*>(q_row + 8 * d + 8);
        b[0][0] = *reinterpret_cast<const unsigned*>(k_row);
        b[0][1] = *reinterpret_cast<const unsigned*>(k_row + 8);
        b[1][0] = *reinterpret_cast<const unsigned*>(k_row + 8 * d);
        b[1][1] = *reinterpret_cast<const unsigned*>(k_row + 8 * d + 8);
        mma_m16n8k16(acc[0], a, b[0]);
        mma_m16n8k16(acc[1], a, b[1]);
    }
    // Each lane's eight scores.
    float *upper = s + (long long)g * n + 2 * t, *lower = upper + 8LL * n;
    *(float2*)upper = {acc[0][0], acc[0][1]};
    *(float2*)lower = {acc[0][2], acc[0][3]};
    *(float2*)(upper + 8) = {acc[1][0], acc[1][1]};
    *(float2*)(lower + 8) = {acc[1][2], acc[1][3]};
}
