// Right: a copy helper with uint4 pointers walked in parallel, scores as a column pointer, lambda for the dot product
#include "tilewise.cuh"

__device__ __forceinline__ void copy_rows(element (*tile)[D], const element* from, int rows) {
    constexpr int per = sizeof(uint4) / sizeof(element);
    const uint4* source = reinterpret_cast<const uint4*>(from);
    uint4* target = reinterpret_cast<uint4*>(&tile[0][0]);
    for (int i = threadIdx.x, n = rows * D / per; i < n; i += TILE_M) target[i] = source[i];
}

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
        copy_rows(k_tile, k + start * D, keys);
        copy_rows(v_tile, v + start * D, keys);
        __syncthreads();

        // The tile's scores and their maximum, then what they add to l and acc.
        const auto score = [&](int j) {
            float sum = 0.0f;
            for (int c = 0; c < D; ++c) sum += to_float(query[c]) * to_float(k_tile[j][c]);
            return start + j <= last ? scale * sum : -INFINITY;
        };
        float m_new = m;
        for (int j = 0; j < keys; ++j) {
            m_new = fmaxf(m_new, s_tile[j][threadIdx.x] = score(j));
        }
        const float shift = m_new == -INFINITY ? 0.0f : m_new;
        const float alpha = expf(m - shift);
        l *= alpha;
        for (int c = 0; c < D; ++c) acc[c] *= alpha;
        for (int j = 0; j < keys; ++j) {
            const float p = expf(s_tile[j][threadIdx.x] - shift);
            l += p;
            for (int c = 0; c < D; ++c) acc[c] += p * to_float(v_tile[j][c]);
        }
        m = m_new;
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // no key seen: 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
