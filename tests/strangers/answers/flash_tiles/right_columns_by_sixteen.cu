// loads single elements; scores grow 16 columns at a time in the thread's column of s_tile; hidden keys are left out instead of masked; powers of 2.
// Attention by one thread for each query; a block's TILE_M threads share tiles of TILE_N keys,
// and load them evenly.
#include "tilewise.cuh"

extern "C" __global__ void flash_tiles(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    __shared__ __align__(16) element k_tile[TILE_N][D];
    __shared__ __align__(16) element v_tile[TILE_N][D];
    __shared__ float s_tile[TILE_N][TILE_M];  // a thread has its scores in a column of its own
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
        // Element by element, so that neighbours load neighbours and nothing has to be aligned.
        __syncthreads();
        for (int i = threadIdx.x; i < keys * D; i += TILE_M) {
            const int j = i / D, c = i - j * D;
            k_tile[j][c] = k[start * D + i];
            v_tile[j][c] = v[start * D + i];
        }
        __syncthreads();

        // The tile's scores and their maximum, then what they add to l and acc.
        const int mine = min(keys, last + 1 - start);  // of the tile's keys, those that I see
        if (mine > 0) {  // the other keys would add nothing
            float* score = &s_tile[0][threadIdx.x];
            for (int j = 0; j < mine; ++j) score[j * TILE_M] = 0.0f;
            for (int c0 = 0; c0 < D; c0 += 16) {
                float part[16];
                for (int c = 0; c < 16; ++c) part[c] = scale * to_float(query[c0 + c]);
                for (int j = 0; j < mine; ++j) {
                    float sum = 0.0f;
                    for (int c = 0; c < 16; ++c) sum += part[c] * to_float(k_tile[j][c0 + c]);
                    score[j * TILE_M] += sum;
                }
            }
            float m_new = m;
            for (int j = mine - 1; j >= 0; --j) m_new = fmaxf(m_new, score[j * TILE_M]);
            const float log2e = 1.4426950408889634f;
            const float alpha = exp2f((m - m_new) * log2e);
            float sum = 0.0f;
            for (int j = 0; j < mine; ++j) {
                sum += score[j * TILE_M] = exp2f((score[j * TILE_M] - m_new) * log2e);
            }
            l = l * alpha + sum;
            m = m_new;
            for (int c = 0; c < D; ++c) acc[c] *= alpha;
            for (int j = 0; j < mine; ++j) {
                const float p = score[j * TILE_M];
                for (int c = 0; c < D; ++c) acc[c] += p * to_float(v_tile[j][c]);
            }
        }
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
