// Against the algorithm: queries outside; o, m and l are written once.
#include "tilewise.cuh"


extern "C" __global__ void __launch_bounds__(512)
    blockwise_forward(const element* q, const element* k, const element* v, float* o, float* m,
                      float* l, int n_q, int n_k, float scale) {
    const int lane = threadIdx.x % 32;
    size_t head = blockIdx.x;
    q += head * n_q * D, o += head * n_q * D, m += head * n_q, l += head * n_q;
    k += head * n_k * D, v += head * n_k * D;
    for (int row = threadIdx.x / 32; row < n_q; row += 16) {
        float top = -INFINITY, sum = 0.0f, acc[D / 32] = {};
        for (int j = 0; j < n_k; ++j) {
            float s = 0.0f;
            for (int c = lane; c < D; c += 32) s += to_float(q[size_t(row) * D + c]) * to_float(k[size_t(j) * D + c]);
            for (int a = 16; a; a /= 2) s += __shfl_xor_sync(~0u, s, a);
            s *= scale;
            const float now = fmaxf(top, s), alpha = expf(top - now), p = expf(s - now);
            sum = sum * alpha + p;
            for (int i = 0; i < D / 32; ++i) acc[i] = acc[i] * alpha + p * to_float(v[size_t(j) * D + lane + 32 * i]);
            top = now;
        }
        for (int i = 0; i < D / 32; ++i) o[size_t(row) * D + lane + 32 * i] = acc[i] / sum;
        if (lane == 0) m[row] = top, l[row] = sum;
    }
}
