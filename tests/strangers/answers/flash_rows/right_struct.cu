// Right: a struct for the state of a query with member functions, a template dot product.
#include "tilewise.cuh"

template <int N>
__device__ inline float dot(const element (&a)[N], const element* b) {
    float sum = 0.0f;
#pragma unroll
    for (int c = 0; c < N; ++c) sum = fmaf(to_float(a[c]), to_float(b[c]), sum);
    return sum;
}

struct Query {
    float m = -INFINITY, l = 0.0f;
    float acc[D] = {};

    __device__ void absorb(float score, const element* value) {
        const float top = fmaxf(m, score);
        const float alpha = expf(m - top), p = expf(score - top);
        l = l * alpha + p;
#pragma unroll
        for (int c = 0; c < D; ++c) acc[c] = acc[c] * alpha + p * to_float(value[c]);
        m = top;
    }
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
    element mine[D];
    for (int c = 0; c < D; ++c) mine[c] = q[row * D + c];
    Query state;
    for (int j = 0; j <= last; ++j) state.absorb(scale * dot(mine, k + j * D), v + j * D);
    const float inverse = state.l > 0.0f ? 1.0f / state.l : 0.0f;
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(state.acc[c] * inverse);
    L[row] = state.m + logf(state.l);
}
