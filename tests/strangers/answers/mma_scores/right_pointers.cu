// Style: four pointers to 32-bit words that are advanced by 8 words a round, B read before A, float2 stores; no index is computed in the loop.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    const unsigned* top = (const unsigned*)(q + (long long)g * d) + t;
    const unsigned* bottom = (const unsigned*)(q + (long long)(g + 8) * d) + t;
    const unsigned* left = (const unsigned*)(k + (long long)g * d) + t;
    const unsigned* right = (const unsigned*)(k + (long long)(g + 8) * d) + t;
    const unsigned* const end = top + d / 2;
    while (top != end) {
        unsigned b1[2] = {right[0], right[4]};
        unsigned b0[2] = {left[0], left[4]};
        unsigned a[4] = {top[0], bottom[0], top[4], bottom[4]};
        mma_m16n8k16(acc[1], a, b1);
        mma_m16n8k16(acc[0], a, b0);
        top += 8;
        bottom += 8;
        left += 8;
        right += 8;
    }
    float2* out = (float2*)(s + (long long)g * n) + t;
    out[0] = make_float2(acc[0][0], acc[0][1]);
    out[4] = make_float2(acc[1][0], acc[1][1]);
    out += 4 * n;  // eight rows of n / 2 pairs
    out[0] = make_float2(acc[0][2], acc[0][3]);
    out[4] = make_float2(acc[1][2], acc[1][3]);
}
