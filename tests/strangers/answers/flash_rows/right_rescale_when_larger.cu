// right: rescales only where a key beats the maximum, dot product in four partial sums, fmaf
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
    for (int j = 0; j <= last; ++j) {
        const element* key = k + j * D;
        const element* value = v + j * D;
        float part[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int c = 0; c < D; c += 4) {
            for (int t = 0; t < 4; ++t) {
                part[t] = fmaf(to_float(query[c + t]), to_float(key[c + t]), part[t]);
            }
        }
        const float score = scale * ((part[0] + part[1]) + (part[2] + part[3]));
        float p = 1.0f;
        if (score > m) {
            const float shrink = expf(m - score);  // 0 at the first key, where m is -inf
            l *= shrink;
            for (int c = 0; c < D; ++c) acc[c] *= shrink;
            m = score;
        } else {
            p = expf(score - m);
        }
        l += p;
        for (int c = 0; c < D; ++c) acc[c] = fmaf(p, to_float(value[c]), acc[c]);
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
