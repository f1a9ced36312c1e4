// Cheat: neighbouring threads swap their scores, so that each query's exponentials are taken by the other query's thread and shuffled back
// Breaks: "Attention by one thread for each query"
#include "tilewise.cuh"

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    // A thread past the end stays to help its neighbour, and sees no key.
    const int last = row >= n_q ? -1 : causal ? row + n_k - n_q : n_k - 1;
    const unsigned all = 0xffffffff;
    int stop = last;  // of the whole warp
    for (int distance = 16; distance > 0; distance /= 2) {
        stop = max(stop, __shfl_xor_sync(all, stop, distance));
    }

    element query[D];
    float acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = q[min(row, n_q - 1) * D + c];
        acc[c] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j <= stop; ++j) {
        float s = -INFINITY;
        if (j <= last) {
            s = 0.0f;
            for (int c = 0; c < D; ++c) s += to_float(query[c]) * to_float(k[j * D + c]);
            s *= scale;
        }
        const float m_new = fmaxf(m, s);
        const float base = m_new == -INFINITY ? 0.0f : m_new;
        const float old = expf(__shfl_xor_sync(all, m - base, 1));
        const float weight = expf(__shfl_xor_sync(all, s - base, 1));
        const float alpha = __shfl_xor_sync(all, old, 1);
        const float p = __shfl_xor_sync(all, weight, 1);
        if (j <= last) {
            l = alpha * l + p;
            for (int c = 0; c < D; ++c) acc[c] = alpha * acc[c] + p * to_float(v[j * D + c]);
            m = m_new;
        }
    }
    if (row >= n_q) return;
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
