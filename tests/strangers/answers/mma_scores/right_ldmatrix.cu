// Style: through shared memory: every lane copies one 16-byte chunk of q and one of k, the fragments come by ldmatrix_x4 from padded rows; scores go out as float2.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

constexpr int STRIDE = 24;  // 16 elements and 16 bytes of padding

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    __shared__ __align__(16) element q_tile[16 * STRIDE], k_tile[16 * STRIDE];
    const int lane = threadIdx.x;
    const int row = lane / 2, chunk = lane % 2 * 8;  // what the lane copies
    for (int c = 0; c < d; c += 16) {
        *(uint4*)&q_tile[row * STRIDE + chunk] = *(const uint4*)&q[row * d + c + chunk];
        *(uint4*)&k_tile[row * STRIDE + chunk] = *(const uint4*)&k[row * d + c + chunk];
        __syncthreads();
        unsigned a[4], r[4];
        // A: small matrices go down first, then right; B: right first, then down to the next keys
        ldmatrix_x4(a, &q_tile[lane % 16 * STRIDE + lane / 16 * 8]);
        ldmatrix_x4(r, &k_tile[(lane / 16 * 8 + lane % 8) * STRIDE + lane / 8 % 2 * 8]);
        unsigned b0[2] = {r[0], r[1]}, b1[2] = {r[2], r[3]};
        mma_m16n8k16(acc[0], a, b0);
        mma_m16n8k16(acc[1], a, b1);
        __syncthreads();  // the tiles are overwritten in the next round
    }
    for (int j = 0; j < 2; j++) {
        *(float2*)&s[g * n + 8 * j + 2 * t] = make_float2(acc[j][0], acc[j][1]);
        *(float2*)&s[(g + 8) * n + 8 * j + 2 * t] = make_float2(acc[j][2], acc[j][3]);
    }
}
