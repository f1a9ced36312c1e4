// Base 2 throughout, and the keys are met from the last to the first.
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
    const float scale_2 = scale * 1.4426950408889634f;
    for (int j = last; j >= 0; --j) {
        const element* key = k + j * D;
        float dots[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int c = 0; c < D; c += 4) {
            for (int u = 0; u < 4; ++u) dots[u] += to_float(query[c + u]) * to_float(key[c + u]);
        }
        const float score = scale_2 * ((dots[0] + dots[1]) + (dots[2] + dots[3]));
        const float before = m;
        m = fmaxf(before, score);
        const float alpha = exp2f(before - m), p = exp2f(score - m);
        l = l * alpha + p;
        for (int c = 0; c < D; ++c) {
            acc[c] *= alpha;
            acc[c] += p * to_float(v[j * D + c]);
        }
    }
    const bool nothing = !(l > 0.0f);
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(nothing ? 0.0f : acc[c] / l);
    L[row] = nothing ? -INFINITY : (m + log2f(l)) * 0.6931471805599453f;
}
