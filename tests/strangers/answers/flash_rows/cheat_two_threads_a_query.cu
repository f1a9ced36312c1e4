// 'Attention by one thread for each query': two neighbouring lanes share each query, each has half of the columns of q, k, v and o, and they hand each other halves of scores by shuffles, of which there is no bound here; each pair does two queries, so that every thread's bytes stay what they are
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
    const int side = threadIdx.x % 2 * (D / 2);
    for (int turn = 0; turn < 2; ++turn) {
        const int row = blockIdx.x * blockDim.x + turn * 64 + threadIdx.x / 2;
        const bool real = row < n_q;
        const int last = !real ? -1 : causal ? row + n_k - n_q : n_k - 1;
        const unsigned pair = 3u << (threadIdx.x % 32 / 2 * 2);
        element query[D / 2];
        float acc[D / 2];
        for (int c = 0; c < D / 2; ++c) {
            query[c] = real ? q[row * D + side + c] : to_element(0.0f);
            acc[c] = 0.0f;
        }
        float m = -INFINITY, l = 0.0f;
        for (int j = 0; j <= last; ++j) {
            float s = 0.0f;
            for (int c = 0; c < D / 2; ++c) s += to_float(query[c]) * to_float(k[j * D + side + c]);
            s = (s + __shfl_xor_sync(pair, s, 1)) * scale;
            const float m_new = fmaxf(m, s);
            const float alpha = expf(m - m_new);
            const float p = expf(s - m_new);
            l = alpha * l + p;
            for (int c = 0; c < D / 2; ++c) acc[c] = alpha * acc[c] + p * to_float(v[j * D + side + c]);
            m = m_new;
        }
        if (!real) continue;
        const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
        for (int c = 0; c < D / 2; ++c) o[row * D + side + c] = to_element(acc[c] * inverse);
        if (side == 0) L[row] = m + logf(l);
    }
}
