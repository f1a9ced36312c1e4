// sharing: the first thread of each warp does the queries of all 32 lanes
#include "tilewise.cuh"

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32) return;
    for (int row = first; row < min(first + 32, n_q); ++row) {
        const int last = causal ? row + n_k - n_q : n_k - 1;
        float acc[D], query[D];
        for (int c = 0; c < D; ++c) {
            acc[c] = 0.0f;
            query[c] = to_float(q[row * D + c]);
        }
        float m = -INFINITY, l = 0.0f;
        for (int j = 0; j <= last; ++j) {
            float s = 0.0f;
            for (int c = 0; c < D; ++c) s += query[c] * to_float(k[j * D + c]);
            s *= scale;
            const float m_new = fmaxf(m, s), alpha = expf(m - m_new), p = expf(s - m_new);
            l = l * alpha + p;
            for (int c = 0; c < D; ++c) acc[c] = acc[c] * alpha + p * to_float(v[j * D + c]);
            m = m_new;
        }
        const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
        for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
        L[row] = m + logf(l);
    }
}
