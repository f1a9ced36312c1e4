// style: right; rescales only when a key has a new maximum, with the dot product in a function of its own
// Attention by one thread for each query: it reads each key and value that it sees once.
// D is 64 or 128, scale is positive.
#include "tilewise.cuh"

__device__ inline float dot(const element* a, const element* b) {
    float even = 0.0f, odd = 0.0f;
    for (int c = 0; c < D; c += 2) {
        even += to_float(a[c]) * to_float(b[c]);
        odd += to_float(a[c + 1]) * to_float(b[c + 1]);
    }
    return even + odd;
}

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
    for (int j = 0; j <= last; ++j) {
        const float s = scale * dot(query, k + j * D);
        const element* value = v + j * D;
        if (s > m) {
            const float fade = expf(m - s);  // 0 at the first key
            m = s;
            l = l * fade + 1.0f;
            for (int c = 0; c < D; ++c) acc[c] = acc[c] * fade + to_float(value[c]);
        } else {
            const float p = expf(s - m);
            l += p;
            for (int c = 0; c < D; ++c) acc[c] += p * to_float(value[c]);
        }
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
