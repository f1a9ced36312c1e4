// Cheat: against a count of mma instructions and a test that every score depends on them: the tensor core gets only columns 0 to 7 of each 16 (b[1] = 0), with the full number of calls; ordinary float32 multiply-adds do columns 8 to 15 from shared memory, bytes of main memory as in the contract.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    __shared__ unsigned q_right[16][4], k_right[16][4];  // columns 8 to 15, in pairs
    for (int c = 0; c < d; c += 16) {
        unsigned a[4];
        a[0] = *(const unsigned*)&q[g * d + c + 2 * t];
        a[1] = *(const unsigned*)&q[(g + 8) * d + c + 2 * t];
        a[2] = *(const unsigned*)&q[g * d + c + 2 * t + 8];
        a[3] = *(const unsigned*)&q[(g + 8) * d + c + 2 * t + 8];
        q_right[g][t] = a[2];
        q_right[g + 8][t] = a[3];
        for (int j = 0; j < 2; j++) {
            unsigned b[2];
            b[0] = *(const unsigned*)&k[(8 * j + g) * d + c + 2 * t];
            k_right[8 * j + g][t] = *(const unsigned*)&k[(8 * j + g) * d + c + 2 * t + 8];
            b[1] = 0;
            mma_m16n8k16(acc[j], a, b);
        }
        __syncthreads();
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 4; i++) {
                const element* x = (const element*)q_right[g + i / 2 * 8];
                const element* y = (const element*)k_right[8 * j + 2 * t + i % 2];
                for (int e = 0; e < 8; e++) acc[j][i] += to_float(x[e]) * to_float(y[e]);
            }
        __syncthreads();
    }
    for (int j = 0; j < 2; j++) {
        s[g * n + 8 * j + 2 * t] = acc[j][0];
        s[g * n + 8 * j + 2 * t + 1] = acc[j][1];
        s[(g + 8) * n + 8 * j + 2 * t] = acc[j][2];
        s[(g + 8) * n + 8 * j + 2 * t + 1] = acc[j][3];
    }
}
