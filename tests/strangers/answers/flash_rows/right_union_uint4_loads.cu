// Right: rows come by uint4 through a union of eight elements, LOG2E macro with exp2f
#include "tilewise.cuh"
#define LOG2E 1.4426950408889634f
#define LN2 0.6931471805599453f

union Eight {
    uint4 bits;
    unsigned words[4];
    unsigned short halves[8];
};

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
    const float scale_2 = scale * LOG2E;
    float m = -INFINITY;  // the largest score so far, times log2(e)
    float l = 0.0f;
    for (int j = 0; j <= last; ++j) {
        float s = 0.0f;
        for (int c = 0; c < D; c += 8) {
            Eight key;
            key.bits = *reinterpret_cast<const uint4*>(&k[j * D + c]);
            const element* e = reinterpret_cast<const element*>(&key.bits);
            for (int u = 0; u < 8; ++u) s += to_float(query[c + u]) * to_float(e[u]);
        }
        s *= scale_2;
        const float old = m;
        m = fmaxf(m, s);
        const float alpha = exp2f(old - m), p = exp2f(s - m);
        l = alpha * l + p;
        for (int c = 0; c < D; c += 8) {
            Eight value;
            value.bits = *reinterpret_cast<const uint4*>(&v[j * D + c]);
            const element* e = reinterpret_cast<const element*>(&value.bits);
            for (int u = 0; u < 8; ++u) acc[c + u] = alpha * acc[c + u] + p * to_float(e[u]);
        }
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m * LN2 + logf(l);
}
