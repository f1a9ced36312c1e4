// Eight keys at a time: their scores in registers, one maximum and one rescaling for all eight.
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
    const int seen = causal ? max(0, row + n_k - n_q + 1) : n_k;
    float query[D], acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = to_float(q[row * D + c]);
        acc[c] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    for (int start = 0; start < seen; start += 8) {
        const int keys = min(8, seen - start);
        float s[8];
        float top = m;
        for (int j = 0; j < 8; ++j) {
            s[j] = -INFINITY;
            if (j < keys) {
                const element* key = k + (long long)(start + j) * D;
                float sum = 0.0f;
                for (int c = 0; c < D; ++c) sum += query[c] * to_float(key[c]);
                s[j] = sum * scale;
                top = fmaxf(top, s[j]);
            }
        }
        const float alpha = expf(m - top);
        m = top;
        l *= alpha;
        for (int c = 0; c < D; ++c) acc[c] *= alpha;
        for (int j = 0; j < keys; ++j) {
            const float p = expf(s[j] - m);
            const element* value = v + (long long)(start + j) * D;
            l += p;
            for (int c = 0; c < D; ++c) acc[c] += p * to_float(value[c]);
        }
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
