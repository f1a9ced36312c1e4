// style: compiler engineer: tiles as flat arrays of uint4, pointers, exponentials to base 2 inside, m back in natural units at once
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
        {
            const uint4* from_k = (const uint4*)(k + (long long)start * D);
            const uint4* from_v = (const uint4*)(v + (long long)start * D);
            uint4 *to_k = (uint4*)k_tile, *to_v = (uint4*)v_tile;
            for (int i = threadIdx.x; i < keys * (D / 8); i += blockDim.x) {
                to_k[i] = from_k[i];
                to_v[i] = from_v[i];
            }
        }
        __syncthreads();

        // The tile's scores and their maximum, then what they add to l and acc.
        float* mine = &s_tile[0][threadIdx.x];
        float top = m;
        const int seen = min(keys, last - start + 1);  // may be 0 or less: nothing to add
        for (int j = 0; j < seen; ++j) {
            float dot = 0.0f;
            for (int c = 0; c < D; ++c) dot = fmaf(to_float(query[c]), to_float(k_tile[j][c]), dot);
            mine[j * TILE_M] = dot * scale;
            top = fmaxf(top, dot * scale);
        }
        if (seen > 0) {
            const float fade = exp2f((m - top) * 1.4426950408889634f);
            l *= fade;
            for (int c = 0; c < D; ++c) acc[c] *= fade;
            for (int j = 0; j < seen; ++j) {
                const float p = exp2f((mine[j * TILE_M] - top) * 1.4426950408889634f);
                l += p;
                for (int c = 0; c < D; ++c) acc[c] = fmaf(p, to_float(v_tile[j][c]), acc[c]);
            }
            m = top;
        }
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
