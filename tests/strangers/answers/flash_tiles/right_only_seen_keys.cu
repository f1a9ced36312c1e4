// right: loads element by element, each thread as many; computes only the keys that the query sees, so no -inf occurs
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
        // a tile is the same stretch of k and of v, element by element
        __syncthreads();
        element* k_flat = &k_tile[0][0];
        element* v_flat = &v_tile[0][0];
        for (int i = threadIdx.x; i < keys * D; i += TILE_M) {
            k_flat[i] = k[start * D + i];
            v_flat[i] = v[start * D + i];
        }
        __syncthreads();

        const int mine = min(keys, last - start + 1);
        if (mine > 0) {
            float* s = &s_tile[0][threadIdx.x];  // the next key's is TILE_M further on
            float top = m;
            for (int j = 0; j < mine; ++j) {
                float even = 0.0f, odd = 0.0f;
                for (int c = 0; c < D; c += 2) {
                    even = fmaf(to_float(query[c]), to_float(k_tile[j][c]), even);
                    odd = fmaf(to_float(query[c + 1]), to_float(k_tile[j][c + 1]), odd);
                }
                s[j * TILE_M] = (even + odd) * scale;
                top = fmaxf(top, s[j * TILE_M]);
            }
            float sum = 0.0f;
            for (int j = 0; j < mine; ++j) {
                s[j * TILE_M] = expf(s[j * TILE_M] - top);
                sum += s[j * TILE_M];
            }
            const float alpha = expf(m - top);
            for (int c = 0; c < D; ++c) {
                float column = alpha * acc[c];
                for (int j = 0; j < mine; ++j) {
                    column = fmaf(s[j * TILE_M], to_float(v_tile[j][c]), column);
                }
                acc[c] = column;
            }
            l = alpha * l + sum;
            m = top;
        }
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
