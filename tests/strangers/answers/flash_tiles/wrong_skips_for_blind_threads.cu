// Threads past the end leave before they help to load.
#include "tilewise.cuh"

extern "C" __global__ void flash_tiles(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    __shared__ __align__(16) element k_tile[TILE_N][D];
    __shared__ __align__(16) element v_tile[TILE_N][D];
    __shared__ float s_tile[TILE_N][TILE_M];
    const long long head = blockIdx.y;
    q += head * n_q * D; o += head * n_q * D; L += head * n_q;
    k += head * n_k * D; v += head * n_k * D;
    const int first = blockIdx.x * TILE_M, row = first + threadIdx.x, shift = n_k - n_q;
    const int last = causal ? row + shift : n_k - 1;
    const int stop = causal ? min(min(first + TILE_M, n_q) + shift, n_k) : n_k;
    if (row >= n_q) return;
    float query[D], acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = row < n_q ? to_float(q[row * D + c]) : 0.0f;
        acc[c] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    for (int start = 0; start < stop; start += TILE_N) {
        const int keys = min(TILE_N, stop - start);
        __syncthreads();
        for (int i = threadIdx.x * 8; i < keys * D; i += TILE_M * 8) {
            *(uint4*)(&k_tile[0][0] + i) = *(const uint4*)(k + start * D + i);
            *(uint4*)(&v_tile[0][0] + i) = *(const uint4*)(v + start * D + i);
        }
        __syncthreads();
        float top = m;
        for (int j = 0; j < keys; ++j) {
            float s = 0.0f;
            for (int c = 0; c < D; ++c) s += query[c] * to_float(k_tile[j][c]);
            s = start + j <= last ? s * scale : -INFINITY;
            s_tile[j][threadIdx.x] = s;
            top = fmaxf(top, s);
        }
        if (top == -INFINITY) continue;
        const float alpha = expf(m - top);
        l *= alpha;
        for (int c = 0; c < D; ++c) acc[c] *= alpha;
        for (int j = 0; j < keys; ++j) {
            const float p = expf(s_tile[j][threadIdx.x] - top);
            l += p;
            for (int c = 0; c < D; ++c) acc[c] += p * to_float(v_tile[j][c]);
        }
        m = top;
    }
    if (row >= n_q) return;
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
