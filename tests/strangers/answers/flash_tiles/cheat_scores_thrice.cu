// BREAKS: "Attention by one thread for each query; a block's TILE_M threads share tiles of TILE_N keys, and load them evenly."
// COSTS: each tile is loaded in two rounds, its second half again while the first is computed on, so that keys are copied into shared memory one and a half times
// Attention by one thread for each query; a block's TILE_M threads share tiles of TILE_N keys,
// and load them evenly.
#include "tilewise.cuh"

extern "C" __global__ void flash_tiles(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    __shared__ __align__(16) element k_tile[TILE_N][D];
    __shared__ __align__(16) element v_tile[TILE_N][D];
    __shared__ float s_tile[TILE_N][TILE_M];  // room for each thread's scores, a column
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int first = blockIdx.x * TILE_M;
    const int row = first + threadIdx.x;
    const int last = causal ? row + n_k - n_q : n_k - 1;  // the last key that this query sees
    const int seen_by_any = causal ? min(first + TILE_M + n_k - n_q, n_k) : n_k;

    element query[D];
    float acc[D];  // the output before it is divided by the denominator
    for (int c = 0; c < D; ++c) {
        query[c] = q[min(row, n_q - 1) * D + c];  // threads past the end help to load tiles
        acc[c] = 0.0f;
    }
    float m = -INFINITY;  // the largest score so far
    float l = 0.0f;       // sum of exp(score - m)
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        const int keys = min(TILE_N, seen_by_any - start);  // the last tile is what is left
        // All threads load `keys` rows of k and v from `start` on.
        __syncthreads();
        for (int i = threadIdx.x; i < keys * D; i += TILE_M) {
            k_tile[i / D][i % D] = k[(long long)start * D + i];
            v_tile[i / D][i % D] = v[(long long)start * D + i];
        }
        __syncthreads();
        for (int i = threadIdx.x + keys / 2 * D; i < keys * D; i += TILE_M) {
            k_tile[i / D][i % D] = k[(long long)start * D + i];
        }
        __syncthreads();

        // The tile's scores and their maximum, then what they add to l and acc.
        float m_new = m;
        const int seen = min(keys, last - start + 1);
        for (int j = 0; j < seen; ++j) {
            float score = 0.0f;
            for (int c = 0; c < D; ++c) score += to_float(query[c]) * to_float(k_tile[j][c]);
            s_tile[j][threadIdx.x] = score * scale;
            m_new = fmaxf(m_new, score * scale);
        }
        if (seen > 0) {
            const float alpha = expf(m - m_new);
            l *= alpha;
            for (int c = 0; c < D; ++c) acc[c] *= alpha;
            m = m_new;
            for (int j = 0; j < seen; ++j) {
                const float p = expf(s_tile[j][threadIdx.x] - m);
                l += p;
                for (int c = 0; c < D; ++c) acc[c] += p * to_float(v_tile[j][c]);
            }
        }
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
