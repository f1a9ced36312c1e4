// sharing: all threads bring tiles, but the first warp does the four queries of each of its lanes' columns, the others wait
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
    const int seen_by_any = causal ? min(first + TILE_M + n_k - n_q, n_k) : n_k;
    float query[4][D], acc[4][D], m[4], l[4];
    for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < D; ++c) {
            query[r][c] = threadIdx.x < 32 ? to_float(q[min(row + 32 * r, n_q - 1) * D + c]) : 0.0f;
            acc[r][c] = 0.0f;
        }
        m[r] = -INFINITY, l[r] = 0.0f;
    }
    const bool mine_are_values = threadIdx.x >= TILE_M / 2;
    const element* from = mine_are_values ? v : k;
    element* to = mine_are_values ? &v_tile[0][0] : &k_tile[0][0];
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        const int keys = min(TILE_N, seen_by_any - start);
        __syncthreads();
        for (int i = threadIdx.x % (TILE_M / 2); i < keys * D / 8; i += TILE_M / 2) {
            ((uint4*)to)[i] = ((const uint4*)(from + start * D))[i];
        }
        __syncthreads();
        if (threadIdx.x >= 32) continue;
        for (int r = 0; r < 4; ++r) {
            const int last = causal ? row + 32 * r + n_k - n_q : n_k - 1;
            for (int j = 0; j < keys && start + j <= last; ++j) {
                float s = 0.0f;
                for (int c = 0; c < D; ++c) s += query[r][c] * to_float(k_tile[j][c]);
                s *= scale;
                const float m_new = fmaxf(m[r], s), alpha = expf(m[r] - m_new), p = expf(s - m_new);
                l[r] = l[r] * alpha + p;
                for (int c = 0; c < D; ++c) acc[r][c] = acc[r][c] * alpha + p * to_float(v_tile[j][c]);
                m[r] = m_new;
            }
        }
    }
    if (threadIdx.x >= 32) return;
    for (int r = 0; r < 4; ++r) {
        const int at = row + 32 * r;
        if (at >= n_q) return;
        L[at] = m[r] + logf(l[r]);
        const float inverse = l[r] > 0.0f ? 1.0f / l[r] : 0.0f;
        for (int c = 0; c < D; ++c) o[at * D + c] = to_element(acc[r][c] * inverse);
    }
}
