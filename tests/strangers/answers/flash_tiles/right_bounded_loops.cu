// rows and chunks by two loops; instead of masking, the loops over the tile end with the last key that the query sees; powers of 2 within, natural m
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
        constexpr int CHUNKS = D / 8;  // of 16 bytes in a row
        const int chunk = threadIdx.x % CHUNKS * 8;
        for (int j = threadIdx.x / CHUNKS; j < keys; j += TILE_M / CHUNKS) {
            const int from = (start + j) * D + chunk;
            *reinterpret_cast<uint4*>(&k_tile[j][chunk]) = *reinterpret_cast<const uint4*>(k + from);
            *reinterpret_cast<uint4*>(&v_tile[j][chunk]) = *reinterpret_cast<const uint4*>(v + from);
        }
        __syncthreads();

        // The tile's scores and their maximum, then what they add to l and acc.
        const int visible = min(keys, last + 1 - start);  // can be negative: then this is all skipped
        if (visible > 0) {
            const float log2e = 1.4426950408889634f;
            float top = m;
            for (int j = 0; j < visible; ++j) {
                float dot = 0.0f;
                for (int c = D - 1; c >= 0; --c) dot = fmaf(to_float(query[c]), to_float(k_tile[j][c]), dot);
                s_tile[j][threadIdx.x] = dot * scale;
                top = fmaxf(top, dot * scale);
            }
            if (top > m) {
                const float alpha = exp2f((m - top) * log2e);  // m may be -inf: 0
                l *= alpha;
                for (int c = 0; c < D; ++c) acc[c] *= alpha;
                m = top;
            }
            for (int j = 0; j < visible; ++j) {
                const float p = exp2f((s_tile[j][threadIdx.x] - m) * log2e);
                l += p;
                for (int c = 0; c < D; ++c) acc[c] = fmaf(p, to_float(v_tile[j][c]), acc[c]);
            }
        }
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
