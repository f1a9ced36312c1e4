// each lane stops at its own last key, from the end: lanes read rows 16 words apart at once and wait for banks, which the contract excludes; every causal case with traffic counted
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
        __syncthreads();
        for (int i = threadIdx.x; i < keys * D; i += TILE_M) {
            const int r = i / D, c = i - r * D;
            k_tile[r][c] = k[start * D + i];
        }
        for (int i = threadIdx.x; i < keys * D; i += TILE_M) {
            const int r = i / D, c = i - r * D;
            v_tile[r][c] = v[start * D + i];
        }
        __syncthreads();

        const int mine = min(keys, last - start + 1);
        if (mine > 0) {
            const float old = m;
            for (int j = mine - 1; j >= 0; --j) {
                float s = 0.0f;
                for (int c = D - 1; c >= 0; --c) s += to_float(k_tile[j][c]) * to_float(query[c]);
                s *= scale * 1.4426950408889634f;
                s_tile[j][threadIdx.x] = s;
                if (s > m) m = s;
            }
            const float alpha = exp2f(old - m);
            float added = 0.0f;
            for (int j = 0; j < mine; ++j) {
                const float p = exp2f(s_tile[j][threadIdx.x] - m);
                s_tile[j][threadIdx.x] = p;
                added += p;
            }
            l = l * alpha + added;
            for (int c = 0; c < D; ++c) {
                float sum = acc[c] * alpha;
                for (int j = 0; j < mine; ++j) sum += s_tile[j][threadIdx.x] * to_float(v_tile[j][c]);
                acc[c] = sum;
            }
        }
    }
    if (row >= n_q) return;
    L[row] = m * 0.6931471805599453f + logf(l);  // m is in units of log 2
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
