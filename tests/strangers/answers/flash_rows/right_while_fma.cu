// style: while loop, fmaf
// Attention by one thread for each query: it reads each key and value that it sees once.
// D is 64 or 128, scale is positive.
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
    if (row >= n_q) return;
    const int last = causal ? row + n_k - n_q : n_k - 1;  // the last key that this query sees

    element query[D];
    float acc[D];  // the output before it is divided by the denominator
    for (int c = 0; c < D; ++c) {
        query[c] = q[row * D + c];
        acc[c] = 0.0f;
    }
    float m = -INFINITY;  // the largest score so far
    float l = 0.0f;       // sum of exp(score - m)
    // The online softmax over the keys 0 to last; then o and L.
    int j = 0;
    while (j <= last) {
        const element* key = k + j * D;
        const element* value = v + j * D;
        float s = 0.0f;
        for (int c = 0; c < D; ++c) s = fmaf(to_float(query[c]), to_float(key[c]), s);
        s *= scale;
        const float m_new = fmaxf(m, s);
        const float alpha = expf(m - m_new);
        const float p = expf(s - m_new);
        l = fmaf(l, alpha, p);
        for (int c = 0; c < D; ++c) acc[c] = fmaf(acc[c], alpha, p * to_float(value[c]));
        m = m_new;
        ++j;
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
