// plain scalar loads, rescales only where the maximum grows, keys counted down, 64-bit indices
#include "tilewise.cuh"

template <typename F>
__device__ void each_column(F f) {
    for (int c = 0; c < D; ++c) f(c);
}

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const size_t head = blockIdx.y;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n_q) {
        const size_t mine = (head * n_q + row) * D;
        float query[D], acc[D], m = -INFINITY, l = 0.0f;
        each_column([&](int c) { query[c] = to_float(q[mine + c]), acc[c] = 0.0f; });
        for (int j = causal ? row + n_k - n_q : n_k - 1; j >= 0; --j) {
            const size_t key = (head * n_k + j) * D;
            float s = 0.0f;
            each_column([&](int c) { s = fmaf(query[c], to_float(k[key + c]), s); });
            s *= scale;
            if (s > m) {
                const float shrink = expf(m - s);
                l *= shrink;
                each_column([&](int c) { acc[c] *= shrink; });
                m = s;
            }
            const float p = expf(s - m);
            l += p;
            each_column([&](int c) { acc[c] += p * to_float(v[key + c]); });
        }
        each_column([&](int c) { o[mine + c] = to_element(l > 0.0f ? acc[c] / l : 0.0f); });
        L[head * n_q + row] = l > 0.0f ? m + logf(l) : -INFINITY;
    }
}
