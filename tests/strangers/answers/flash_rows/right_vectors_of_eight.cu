// Rows of keys and values come as uint4, eight numbers a load; base two inside.
#include "tilewise.cuh"

struct alignas(16) Eight {
    element x[8];
};

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n_q) return;
    const int last = causal ? row + n_k - n_q : n_k - 1;
    float query[D], acc[D];
    for (int c = 0; c < D; c += 8) {
        const Eight part = *(const Eight*)(q + (long long)row * D + c);
        for (int i = 0; i < 8; ++i) {
            query[c + i] = to_float(part.x[i]);
            acc[c + i] = 0.0f;
        }
    }
    const float scale_2 = scale * 1.4426950408889634f;
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j <= last; ++j) {
        float s = 0.0f;
        for (int c = 0; c < D; c += 8) {
            const Eight part = *(const Eight*)(k + (long long)j * D + c);
            for (int i = 0; i < 8; ++i) s += query[c + i] * to_float(part.x[i]);
        }
        s *= scale_2;
        const float m_new = fmaxf(m, s), alpha = exp2f(m - m_new), p = exp2f(s - m_new);
        l = l * alpha + p;
        for (int c = 0; c < D; c += 8) {
            const Eight part = *(const Eight*)(v + (long long)j * D + c);
            for (int i = 0; i < 8; ++i) acc[c + i] = acc[c + i] * alpha + p * to_float(part.x[i]);
        }
        m = m_new;
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; c += 8) {
        Eight part;
        for (int i = 0; i < 8; ++i) part.x[i] = to_element(acc[c + i] * inverse);
        *(Eight*)(o + (long long)row * D + c) = part;
    }
    L[row] = l > 0.0f ? (m + log2f(l)) * 0.6931471805599453f : -INFINITY;
}
