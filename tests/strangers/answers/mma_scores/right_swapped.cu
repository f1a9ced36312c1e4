// Style: the product the other way round, S^T = K Q^T (A = 16 keys, B = 8 queries), stored transposed; every number read alone as 16 bits and paired with | and <<.
// S = q k^T on a tensor core: a warp of 32 threads for each 16 x 16 scores. q: (M, d), k: (N, d).
#include "tilewise.cuh"

__device__ unsigned pair_at(const element* x, int at) {
    const unsigned short* bits = (const unsigned short*)x;
    const unsigned short low = bits[at], high = bits[at + 1];
    return low | (unsigned)high << 16;
}

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on row 0 is the first of the warp's queries
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int c = 0; c < d; c += 16) {
        unsigned keys[4], queries[2];
        for (int i = 0; i < 4; i++) keys[i] = pair_at(k, (g + i % 2 * 8) * d + c + i / 2 * 8 + 2 * t);
        for (int f = 0; f < 2; f++) {
            for (int i = 0; i < 2; i++) queries[i] = pair_at(q, (g + 8 * f) * d + c + i * 8 + 2 * t);
            mma_m16n8k16(acc[f], keys, queries);  // acc[f]: rows are keys, columns are queries
        }
    }
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < 4; i++) {
            const int key = g + i / 2 * 8, query = 8 * f + 2 * t + i % 2;
            s[query * n + key] = acc[f][i];
        }
}
