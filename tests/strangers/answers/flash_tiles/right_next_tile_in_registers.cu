// The next tile is brought into registers while this one is used, and put into shared memory after the barrier.
#include "tilewise.cuh"

extern "C" __global__ void flash_tiles(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    __shared__ __align__(16) element k_tile[TILE_N][D];
    __shared__ __align__(16) element v_tile[TILE_N][D];
    const long long head = blockIdx.y;
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int first = blockIdx.x * TILE_M;
    const int row = first + threadIdx.x;
    const int last = causal ? row + n_k - n_q : n_k - 1;
    const int seen_by_any = causal ? min(first + TILE_M + n_k - n_q, n_k) : n_k;
    float query[D], acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = to_float(q[min(row, n_q - 1) * D + c]);
        acc[c] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    const bool mine_are_values = threadIdx.x >= TILE_M / 2;
    const element* from = mine_are_values ? v : k;
    element* to = mine_are_values ? &v_tile[0][0] : &k_tile[0][0];
    constexpr int PART = TILE_N * D / 8 / (TILE_M / 2);
    uint4 ahead[PART];
    auto bring = [&](int start) {
        const int keys = min(TILE_N, seen_by_any - start);
        for (int i = 0; i < PART; ++i) {
            const int at = threadIdx.x % (TILE_M / 2) + i * (TILE_M / 2);
            if (at < keys * D / 8) ahead[i] = ((const uint4*)(from + start * D))[at];
        }
    };
    bring(0);
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        const int keys = min(TILE_N, seen_by_any - start);
        __syncthreads();
        for (int i = 0; i < PART; ++i) {
            const int at = threadIdx.x % (TILE_M / 2) + i * (TILE_M / 2);
            if (at < keys * D / 8) ((uint4*)to)[at] = ahead[i];
        }
        __syncthreads();
        bring(start + TILE_N);
        for (int j = 0; j < keys && start + j <= last; ++j) {
            float s = 0.0f;
            for (int c = 0; c < D; ++c) s += query[c] * to_float(k_tile[j][c]);
            s *= scale;
            const float m_new = fmaxf(m, s), alpha = expf(m - m_new), p = expf(s - m_new);
            l = l * alpha + p;
            for (int c = 0; c < D; ++c) acc[c] = acc[c] * alpha + p * to_float(v_tile[j][c]);
            m = m_new;
        }
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
