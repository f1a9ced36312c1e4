// a dot product as a template function over pointers; the rescaling without a branch
#include "tilewise.cuh"

template <int WIDTH>
__device__ __forceinline__ float dot(const element* a, const element* b) {
    float sum = 0.0f;
#pragma unroll 8
    for (int c = 0; c < WIDTH; ++c) sum += to_float(a[c]) * to_float(b[c]);
    return sum;
}

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;  // offsets of whole heads can pass 2^31
    q += head * n_q * D;
    k += head * n_k * D;
    v += head * n_k * D;
    o += head * n_q * D;
    L += head * n_q;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n_q) return;
    const int last = causal ? row + n_k - n_q : n_k - 1;  // the last key that this query sees

    element query[D];
    float acc[D];
    for (int c = 0; c < D; ++c) {
        query[c] = q[row * D + c];
        acc[c] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j <= last; ++j) {
        const float score = scale * dot<D>(query, k + j * D);
        const float higher = fmaxf(m, score);
        const float fade = expf(m - higher), weight = expf(score - higher);
        const element* value = v + j * D;
        for (int c = 0; c < D; ++c) acc[c] = fade * acc[c] + weight * to_float(value[c]);
        l = fade * l + weight;
        m = higher;
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
