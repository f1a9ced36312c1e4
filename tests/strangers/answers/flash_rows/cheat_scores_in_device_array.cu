// Against memory: the scores in a __device__ array.
#include "tilewise.cuh"


__device__ float all_scores[1 << 20];

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;
    q += head * n_q * D; o += head * n_q * D; L += head * n_q;
    k += head * n_k * D; v += head * n_k * D;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n_q) return;
    const int last = causal ? row + n_k - n_q : n_k - 1;
    float* s = all_scores + ((long long)blockIdx.y * n_q + row) * n_k; float m = -INFINITY, l = 0.0f, acc[D] = {};
    for (int j = 0; j <= last; ++j) {
        s[j] = 0.0f;
        for (int c = 0; c < D; ++c) s[j] += to_float(q[row * D + c]) * to_float(k[j * D + c]);
        m = fmaxf(m, s[j] *= scale);
    }
    for (int j = 0; j <= last; ++j) {
        const float p = expf(s[j] - m);
        l += p;
        for (int c = 0; c < D; ++c) acc[c] += p * to_float(v[j * D + c]);
    }
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(l > 0.0f ? acc[c] / l : 0.0f);
    L[row] = m + logf(l);
}
