// Right: rescales only when the maximum rises, inline helper templates, pointer walking, fmaf
#include "tilewise.cuh"

template <int N, typename T>
__device__ __forceinline__ float dot(const T* a, const T* b) {
    float sum = 0.0f;
#pragma unroll
    for (int c = 0; c < N; ++c) sum = fmaf(to_float(a[c]), to_float(b[c]), sum);
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
    float acc[D];  // the output before it is divided by the denominator
    for (int c = 0; c < D; ++c) {
        query[c] = q[row * D + c];
        acc[c] = 0.0f;
    }
    float m = -INFINITY;  // the largest score so far
    float l = 0.0f;       // sum of exp(score - m)
    // The online softmax over the keys 0 to last; then o and L.
    const element *key = k, *value = v;
    for (int j = 0; j <= last; ++j, key += D, value += D) {
        const float s = scale * dot<D>(query, key);
        float p = 1.0f;
        if (s > m) {
            const float alpha = expf(m - s);
            m = s;
            l *= alpha;
            for (float& a : acc) a *= alpha;
        } else {
            p = expf(s - m);
        }
        l += p;
        for (int c = 0; c < D; ++c) acc[c] = fmaf(p, to_float(value[c]), acc[c]);
    }
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;  // a query that sees no key gives 0
    for (int c = 0; c < D; ++c) o[row * D + c] = to_element(acc[c] * inverse);
    L[row] = m + logf(l);
}
