// Style: 64-bit reads (uint2) of four neighbours; the 16 columns are summed in another order, the same in A and in B (slots 2t, 2t+1, 2t+8, 2t+9 hold columns 4t to 4t+3), so the sum is the same.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    const uint2* q0 = (const uint2*)&q[g * d];
    const uint2* q8 = (const uint2*)&q[(g + 8) * d];
    const uint2* k0 = (const uint2*)&k[g * d];
    const uint2* k8 = (const uint2*)&k[(g + 8) * d];
    for (int i = t; i < d / 4; i += 4) {  // d / 16 rounds for every t
        const uint2 upper = q0[i], lower = q8[i], first = k0[i], second = k8[i];
        unsigned a[4] = {upper.x, lower.x, upper.y, lower.y};
        unsigned b[2][2] = {{first.x, first.y}, {second.x, second.y}};
        mma_m16n8k16(acc[0], a, b[0]);
        mma_m16n8k16(acc[1], a, b[1]);
    }
    for (int half = 0; half < 2; half++)
        for (int j = 0; j < 2; j++) {
            const float2 two = make_float2(acc[j][2 * half], acc[j][2 * half + 1]);
            *(float2*)&s[(g + 8 * half) * n + 8 * j + 2 * t] = two;
        }
}
