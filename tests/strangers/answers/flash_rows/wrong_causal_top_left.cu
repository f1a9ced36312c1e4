// Ends the causal loop at key = row (top-left aligned, as in llm.c) instead of last: wrong for N_q != N_k, and past the end of the keys for N_q > N_k.
// Attention by one thread for each query: it meets the keys one after another.
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
    const int stop = causal ? row + 1 : n_k;
    for (int t2 = 0; t2 < stop; t2++) {
        float val = 0.0f;
        for (int i = 0; i < D; i++) val += to_float(query[i]) * to_float(k[t2 * D + i]);
        val *= scale;
        float maxval = m;
        if (val > maxval) maxval = val;
        float correction = expf(m - maxval);
        float e = expf(val - maxval);
        l = l * correction + e;
        for (int i = 0; i < D; i++) acc[i] = acc[i] * correction + e * to_float(v[t2 * D + i]);
        m = maxval;
    }
    float expsum_inv = l == 0.0f ? 0.0f : 1.0f / l;
    for (int i = 0; i < D; i++) o[row * D + i] = to_element(acc[i] * expsum_inv);
    L[row] = m + logf(l);
}
