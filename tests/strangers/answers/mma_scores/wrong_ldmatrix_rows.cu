// Wrong: ldmatrix habit without ldmatrix: each lane reads the 16 bytes of the row that it would name, and takes these for its fragment, nothing is dealt out; shows with random input, not with ones.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    const int lane = threadIdx.x;
    for (int c = 0; c < d; c += 16) {
        const uint4 x = *(const uint4*)&q[lane % 16 * d + c + lane / 16 * 8];
        const uint4 y = *(const uint4*)&k[(lane / 16 * 8 + lane % 8) * d + c + lane / 8 % 2 * 8];
        unsigned a[4] = {x.x, x.y, x.z, x.w};
        unsigned b0[2] = {y.x, y.y}, b1[2] = {y.z, y.w};
        mma_m16n8k16(acc[0], a, b0);
        mma_m16n8k16(acc[1], a, b1);
    }
    for (int j = 0; j < 2; j++) {
        s[g * n + 8 * j + 2 * t] = acc[j][0];
        s[g * n + 8 * j + 2 * t + 1] = acc[j][1];
        s[(g + 8) * n + 8 * j + 2 * t] = acc[j][2];
        s[(g + 8) * n + 8 * j + 2 * t + 1] = acc[j][3];
    }
}
