// style: right; copies the tiles as flat arrays of 16-byte chunks, and skips the tile for a thread that sees none of its keys
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
        __syncthreads();
        const uint4* k_from = (const uint4*)(k + start * D);
        const uint4* v_from = (const uint4*)(v + start * D);
        uint4* k_to = (uint4*)&k_tile[0][0];
        uint4* v_to = (uint4*)&v_tile[0][0];
        const int chunks = keys * (D / 8);
        for (int i = threadIdx.x; i < chunks; i += TILE_M) k_to[i] = k_from[i];
        for (int i = threadIdx.x; i < chunks; i += TILE_M) v_to[i] = v_from[i];
        __syncthreads();

        // The tile's scores and their maximum, then what they add to l and acc.
        const int visible = min(keys, last - start + 1);  // of this tile, by this thread; maybe none
        if (visible > 0) {
            const int me = threadIdx.x;
            float top = m;
            for (int j = 0; j < visible; ++j) {
                float s = 0.0f;
                for (int c = 0; c < D; ++c) s += to_float(k_tile[j][c]) * to_float(query[c]);
                s_tile[j][me] = scale * s;
                top = fmaxf(top, scale * s);
            }
            const float fade = expf(m - top);
            float sum = 0.0f;
            for (int c = 0; c < D; ++c) acc[c] *= fade;
            for (int j = 0; j < visible; ++j) {
                const float p = expf(s_tile[j][me] - top);
                sum += p;
                for (int c = 0; c < D; ++c) acc[c] += p * to_float(v_tile[j][c]);
            }
            l = l * fade + sum;
            m = top;
        }
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
