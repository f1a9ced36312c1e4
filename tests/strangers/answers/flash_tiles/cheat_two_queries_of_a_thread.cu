// 'Attention by one thread for each query': all load and store their own rows, evenly, and hand them over in shared memory: 64 threads compute two queries each, and the other 64 none
#include "tilewise.cuh"

#define HALF (TILE_M / 2)

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
    const int seen_by_any = causal ? min(first + TILE_M + n_k - n_q, n_k) : n_k;
    const bool works = threadIdx.x < HALF;
    float query[2][D], acc[2][D], m[2] = {-INFINITY, -INFINITY}, l[2] = {0.0f, 0.0f};
    for (int chunk = 0; chunk < D; chunk += TILE_N) {  // queries of the others
        __syncthreads();
        for (int c = 0; c < TILE_N; ++c) {
            const float x = to_float(q[min(row, n_q - 1) * D + chunk + c]);
            if (works) query[0][chunk + c] = x; else s_tile[c][threadIdx.x] = x;
        }
        __syncthreads();
        for (int c = 0; works && c < TILE_N; ++c) query[1][chunk + c] = s_tile[c][threadIdx.x + HALF];
    }
    for (int c = 0; c < D; ++c) acc[0][c] = acc[1][c] = 0.0f;
    for (int start = 0; start < seen_by_any; start += TILE_N) {
        const int keys = min(TILE_N, seen_by_any - start);
        __syncthreads();
        for (int i = 8 * threadIdx.x; i < keys * D; i += 8 * TILE_M) {
            *(uint4*)&k_tile[i / D][i % D] = *(const uint4*)&k[start * D + i];
            *(uint4*)&v_tile[i / D][i % D] = *(const uint4*)&v[start * D + i];
        }
        __syncthreads();
        for (int r = 0; works && r < 2; ++r) {
            const int last = causal ? row + r * HALF + n_k - n_q : n_k - 1;
            float m_new = m[r];
            for (int j = 0; j < keys; ++j) {
                float s = 0.0f;
                for (int c = 0; c < D; ++c) s += query[r][c] * to_float(k_tile[j][c]);
                s = start + j <= last ? s * scale : -INFINITY;
                s_tile[j][threadIdx.x + r * HALF] = s;
                m_new = fmaxf(m_new, s);
            }
            const float shift = m_new == -INFINITY ? 0.0f : m_new;
            const float alpha = expf(m[r] - shift);
            l[r] *= alpha;
            for (int c = 0; c < D; ++c) acc[r][c] *= alpha;
            for (int j = 0; j < keys; ++j) {
                const float p = expf(s_tile[j][threadIdx.x + r * HALF] - shift);
                l[r] += p;
                for (int c = 0; c < D; ++c) acc[r][c] += p * to_float(v_tile[j][c]);
            }
            m[r] = m_new;
        }
    }
    __syncthreads();
    for (int r = 0; works && r < 2; ++r) s_tile[0][threadIdx.x + r * HALF] = m[r] + logf(l[r]);
    __syncthreads();
    if (row < n_q) L[row] = s_tile[0][threadIdx.x];
    for (int chunk = 0; chunk < D; chunk += TILE_N) {  // outputs of the others
        __syncthreads();
        for (int r = 0; works && r < 2; ++r) {
            const float inverse = l[r] > 0.0f ? 1.0f / l[r] : 0.0f;
            for (int c = 0; c < TILE_N; ++c) s_tile[c][threadIdx.x + r * HALF] = acc[r][chunk + c] * inverse;
        }
        __syncthreads();
        for (int c = 0; row < n_q && c < TILE_N; ++c) o[row * D + chunk + c] = to_element(s_tile[c][threadIdx.x]);
    }
}
