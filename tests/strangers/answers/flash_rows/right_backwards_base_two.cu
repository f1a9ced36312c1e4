// keys from the last to the first, powers of two, branches: either the maximum stays or everything is rescaled; right
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
    float m = -INFINITY;  // the largest score so far, in units of log 2
    float l = 0.0f;       // sum of exp(score - m)
    const float c2 = scale * 1.4426950408889634f;
    const element* key = k + (long long)last * D;
    const element* value = v + (long long)last * D;
    for (int left = last; left >= 0; --left, key -= D, value -= D) {
        float even = 0.0f, odd = 0.0f;
        for (int c = 0; c < D; c += 2) {
            even += to_float(query[c]) * to_float(key[c]);
            odd += to_float(query[c + 1]) * to_float(key[c + 1]);
        }
        const float s = (even + odd) * c2;
        if (s > m) {
            const float alpha = exp2f(m - s);
            l = l * alpha + 1.0f;
            for (int c = 0; c < D; ++c) acc[c] = acc[c] * alpha + to_float(value[c]);
            m = s;
        } else {
            const float p = exp2f(s - m);
            l += p;
            for (int c = 0; c < D; ++c) acc[c] += p * to_float(value[c]);
        }
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m * 0.6931471805599453f + logf(l);
}
