// style: rows as pointers, written out, pairs stored as float2
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
        const element *upper = q + (long long)g * d + c, *lower = upper + 8LL * d;
        a[0] = *(const unsigned*)upper;
        a[1] = *(const unsigned*)lower;
        a[2] = *(const unsigned*)(upper + 8);
        a[3] = *(const unsigned*)(lower + 8);
        const element *near = k + (long long)g * d + c, *far = near + 8LL * d;
        b[0][0] = *(const unsigned*)near;
        b[0][1] = *(const unsigned*)(near + 8);
        b[1][0] = *(const unsigned*)far;
        b[1][1] = *(const unsigned*)(far + 8);
        mma_m16n8k16(acc[0], a, b[0]);
        mma_m16n8k16(acc[1], a, b[1]);
    }
    // Each lane's eight scores.
    float* out = s + (long long)g * n + 2 * t;
    for (int j = 0; j < 2; ++j, out += 8) {
        *(float2*)out = {acc[j][0], acc[j][1]};
        *(float2*)(out + 8LL * n) = {acc[j][2], acc[j][3]};
    }
}
