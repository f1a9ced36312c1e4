// Right: static template functions on arrays by reference, a class for the online state, #pragma unroll, references to pointers
#include "tilewise.cuh"

template <int N>
__device__ __forceinline__ float dot(const float (&a)[N], const element* b) {
    float sum = 0.0f;
#pragma unroll 8
    for (int c = 0; c < N; ++c) sum = fmaf(a[c], to_float(b[c]), sum);
    return sum;
}

template <int N>
struct State {
    float m = -INFINITY, l = 0.0f, acc[N] = {};

    __device__ __forceinline__ void see(float score, const element* value) {
        const float m_new = fmaxf(m, score);
        const float alpha = expf(m - m_new), p = expf(score - m_new);
        l = fmaf(l, alpha, p);
#pragma unroll 8
        for (int c = 0; c < N; ++c) acc[c] = fmaf(acc[c], alpha, p * to_float(value[c]));
        m = m_new;
    }
};

static __device__ inline void to_head(const element*& p, long long head, int n) { p += head * n * D; }

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    to_head(q, head, n_q);
    to_head(k, head, n_k);
    to_head(v, head, n_k);
    o += head * n_q * D;
    L += head * n_q;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n_q) return;
    const int last = causal ? row + n_k - n_q : n_k - 1;  // the last key that this query sees

    float query[D];
    for (int c = 0; c < D; ++c) query[c] = to_float(q[row * D + c]);
    State<D> state;
    for (int j = 0; j <= last; ++j) {
        state.see(scale * dot(query, k + j * D), v + j * D);
    }
    const float inverse = state.l > 0.0f ? 1.0f / state.l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(state.acc[c] * inverse);
    L[row] = state.m + logf(state.l);
}
