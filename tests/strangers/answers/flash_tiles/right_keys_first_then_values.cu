// One tile of shared memory for both: keys first, scores into s_tile, then the values over the keys. A warp brings a row at a time.
#include "tilewise.cuh"

extern "C" __global__ void flash_tiles(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    __shared__ __align__(16) element tile[TILE_N][D];
    __shared__ float s_tile[TILE_N][TILE_M];
    const long long head = blockIdx.y;
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int first = blockIdx.x * TILE_M, thread = threadIdx.x;
    const int row = first + thread, lane = thread % 32, warp = thread / 32;
    const int last = causal ? row + n_k - n_q : n_k - 1;
    const int seen_by_any = causal ? min(first + TILE_M + n_k - n_q, n_k) : n_k;
    element query[D];
    float acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = q[min(row, n_q - 1) * D + c];
        acc[c] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        const int keys = min(TILE_N, seen_by_any - start);
        for (int j = warp; j < keys; j += TILE_M / 32) {
            for (int c = 2 * lane; c < D; c += 64) {
                *(unsigned*)&tile[j][c] = *(const unsigned*)&k[(start + j) * D + c];
            }
        }
        __syncthreads();
        const int mine = max(0, min(keys, last - start + 1));
        float top = m;
        for (int j = 0; j < mine; ++j) {
            float s = 0.0f;
            for (int c = 0; c < D; ++c) s += to_float(query[c]) * to_float(tile[j][c]);
            s_tile[j][thread] = s * scale;
            top = fmaxf(top, s * scale);
        }
        __syncthreads();
        for (int j = warp; j < keys; j += TILE_M / 32) {
            for (int c = 2 * lane; c < D; c += 64) {
                *(unsigned*)&tile[j][c] = *(const unsigned*)&v[(start + j) * D + c];
            }
        }
        __syncthreads();
        if (mine > 0) {
            const float alpha = expf(m - top);
            l *= alpha;
            for (int c = 0; c < D; ++c) acc[c] *= alpha;
            for (int j = 0; j < mine; ++j) {
                const float p = expf(s_tile[j][thread] - top);
                l += p;
                for (int c = 0; c < D; ++c) acc[c] += p * to_float(tile[j][c]);
            }
            m = top;
        }
        __syncthreads();
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
