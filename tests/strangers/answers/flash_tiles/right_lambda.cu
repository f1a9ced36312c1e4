// Right: a lambda that loads a tile, references to rows of it, float4-free, maxima in one line.
#include "tilewise.cuh"

extern "C" __global__ void flash_tiles(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    __shared__ __align__(16) element k_tile[TILE_N][D];
    __shared__ __align__(16) element v_tile[TILE_N][D];
    __shared__ float s_tile[TILE_N][TILE_M];
    const long long head = blockIdx.y;
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int first = blockIdx.x * TILE_M;
    const int row = first + threadIdx.x;
    const int last = causal ? row + n_k - n_q : n_k - 1;
    const int seen_by_any = causal ? min(first + TILE_M + n_k - n_q, n_k) : n_k;

    element query[D];
    float acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = q[min(row, n_q - 1) * D + c];
        acc[c] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    constexpr int EIGHT = 8;  // elements in 16 bytes
    const auto load = [&](element (&tile)[TILE_N][D], const element* from, int keys) {
        for (int i = EIGHT * threadIdx.x; i < keys * D; i += EIGHT * TILE_M) {
            *(uint4*)&tile[i / D][i % D] = *(const uint4*)&from[i];
        }
    };
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        const int keys = min(TILE_N, seen_by_any - start);
        __syncthreads();
        load(k_tile, k + start * D, keys);
        load(v_tile, v + start * D, keys);
        __syncthreads();
        float top = m;
        for (int j = 0; j < keys; ++j) {
            const element(&key)[D] = k_tile[j];
            float score = 0.0f;
            for (int c = 0; c < D; ++c) score += to_float(query[c]) * to_float(key[c]);
            score = start + j <= last ? score * scale : -INFINITY;
            s_tile[j][threadIdx.x] = score;
            top = fmaxf(top, score);
        }
        const float base = top == -INFINITY ? 0.0f : top;
        const float alpha = expf(m - base);
        m = top;
        l *= alpha;
        for (int c = 0; c < D; ++c) acc[c] *= alpha;
        for (int j = 0; j < keys; ++j) {
            const element(&value)[D] = v_tile[j];
            const float p = expf(s_tile[j][threadIdx.x] - base);
            l += p;
            for (int c = 0; c < D; ++c) acc[c] += p * to_float(value[c]);
        }
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
