// 16 x 16 pieces of both matrices through shared memory, 16 bytes a lane, then ldmatrix for both; scores leave as pairs.
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    __shared__ __align__(16) element q_tile[16][24];
    __shared__ __align__(16) element k_tile[16][24];
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    q += (long long)blockIdx.y * 16 * d;
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};
    const int row = lane / 2, half = lane % 2 * 8;
    for (int c = 0; c < d; c += 16) {
        __syncwarp();
        *(uint4*)&q_tile[row][half] = *(const uint4*)&q[row * d + c + half];
        *(uint4*)&k_tile[row][half] = *(const uint4*)&k[row * d + c + half];
        __syncwarp();
        unsigned a[4], b[4];
        ldmatrix_x4(a, &q_tile[lane % 16][lane / 16 * 8]);
        ldmatrix_x4(b, &k_tile[lane / 16 * 8 + lane % 8][lane / 8 % 2 * 8]);
        const unsigned b0[2] = {b[0], b[1]}, b1[2] = {b[2], b[3]};
        mma_m16n8k16(acc[0], a, b0);
        mma_m16n8k16(acc[1], a, b1);
    }
    for (int j = 0; j < 2; ++j) {
        *(float2*)&s[g * n + 8 * j + 2 * t] = make_float2(acc[j][0], acc[j][1]);
        *(float2*)&s[(g + 8) * n + 8 * j + 2 * t] = make_float2(acc[j][2], acc[j][3]);
    }
}
