// tiles come in pieces of 16 bytes (uint4), scores in a column of shared memory
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
        __syncthreads();  // nobody reads the tiles before any more
        constexpr int PIECE = sizeof(uint4) / sizeof(element);
        for (int i = threadIdx.x * PIECE; i < keys * D; i += TILE_M * PIECE) {
            *(uint4*)(&k_tile[0][0] + i) = *(const uint4*)(k + start * D + i);
            *(uint4*)(&v_tile[0][0] + i) = *(const uint4*)(v + start * D + i);
        }
        __syncthreads();

        // The tile's scores and their maximum, then what they add to l and acc.
        float* scores = &s_tile[0][threadIdx.x];  // TILE_M numbers from one to the next
        float top = m;
        for (int j = 0; j < keys; ++j) {
            float dot = 0.0f;
            for (int c = 0; c < D; ++c) dot += to_float(query[c]) * to_float(k_tile[j][c]);
            const float score = start + j <= last ? dot * scale : -INFINITY;
            scores[j * TILE_M] = score;
            top = fmaxf(top, score);
        }
        const float anchor = top == -INFINITY ? 0.0f : top;
        const float fade = expf(m - anchor);
        l *= fade;
        for (int c = 0; c < D; ++c) acc[c] *= fade;
        for (int j = 0; j < keys; ++j) {
            const float p = expf(scores[j * TILE_M] - anchor);
            l += p;
            for (int c = 0; c < D; ++c) acc[c] += p * to_float(v_tile[j][c]);
        }
        m = top;
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
