// every thread ends the loop over tiles at its own last key
#include "tilewise.cuh"

// One thread one query; the scores live in registers, the s_tile is not used.
extern "C" __global__ void flash_tiles(const element* Q, const element* K, const element* V, element* O, float* LSE, int nq, int nk, float scale, int causal) {
    __shared__ __align__(16) element Ks[TILE_N * D];
    __shared__ __align__(16) element Vs[TILE_N * D];
    const size_t bh = blockIdx.y;
    const uint4* K4 = (const uint4*)(K + bh * nk * D);
    const uint4* V4 = (const uint4*)(V + bh * nk * D);
    const int q0 = blockIdx.x * TILE_M, i = q0 + threadIdx.x;
    const bool mine = i < nq;
    const int limit = causal ? min(i + nk - nq, nk - 1) : nk - 1;
    const int stop = limit + 1;
    float qr[D], acc[D];
    const element* qp = Q + (bh * nq + (mine ? i : nq - 1)) * D;
    for (int c = 0; c < D; c++) { qr[c] = to_float(qp[c]) * scale; acc[c] = 0.f; }
    float m = -INFINITY, l = 0.f;
    for (int j0 = 0; j0 < stop; j0 += TILE_N) {
        const int here = min(TILE_N, stop - j0);
        __syncthreads();
        for (int t = threadIdx.x; t < here * D / 8; t += TILE_M) {
            ((uint4*)Ks)[t] = K4[(size_t)j0 * D / 8 + t];
            ((uint4*)Vs)[t] = V4[(size_t)j0 * D / 8 + t];
        }
        __syncthreads();
        float s[TILE_N];
        float top = m;
        for (int j = 0; j < here; j++) {
            float x = 0.f;
            for (int c = 0; c < D; c++) x += qr[c] * to_float(Ks[j * D + c]);
            s[j] = j0 + j <= limit ? x : -INFINITY;
            top = fmaxf(top, s[j]);
        }
        const float base = top == -INFINITY ? 0.f : top;
        const float a = expf(m - base);
        l *= a;
        for (int c = 0; c < D; c++) acc[c] *= a;
        for (int j = 0; j < here; j++) {
            const float p = expf(s[j] - base);
            l += p;
            for (int c = 0; c < D; c++) acc[c] += p * to_float(Vs[j * D + c]);
        }
        m = top;
    }
    if (!mine) return;
    element* op = O + (bh * nq + i) * D;
    for (int c = 0; c < D; c++) op[c] = to_element(l > 0.f ? acc[c] / l : 0.f);
    LSE[bh * nq + i] = l > 0.f ? m + logf(l) : -INFINITY;
}
