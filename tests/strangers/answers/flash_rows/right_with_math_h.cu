// Right: float4s, four chains of sums, and INFINITY from math.h.
// Attention, one thread per query; query and accumulator are float4s, the sums of four chains.
#include "tilewise.cuh"
#include <math.h>

#define NEVER (-INFINITY)  // below any score

__device__ __forceinline__ float4 four(const element* p) {
    return make_float4(to_float(p[0]), to_float(p[1]), to_float(p[2]), to_float(p[3]));
}
__device__ __forceinline__ void fma4(float4& a, float x, float4 b, float4 c) {
    a.x = x * b.x + c.x;
    a.y = x * b.y + c.y;
    a.z = x * b.z + c.z;
    a.w = x * b.w + c.w;
}

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const long long head = blockIdx.y;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n_q) return;
    q += (head * n_q + row) * D;
    float4 x[D / 4], acc[D / 4];
    for (int i = 0; i < D / 4; i++) {
        x[i] = four(q + 4 * i);
        acc[i] = make_float4(0, 0, 0, 0);
    }
    const int hidden = causal ? n_q - 1 - row : 0;  // how many keys come after this query
    float m = NEVER, l = 0.0f;
    for (int j = 0; j + hidden < n_k; j++) {
        const element* key = k + (head * n_k + j) * D;
        const element* value = v + (head * n_k + j) * D;
        float4 sum = make_float4(0, 0, 0, 0);
        for (int i = 0; i < D / 4; i++) {
            const float4 b = four(key + 4 * i);
            sum.x += x[i].x * b.x;
            sum.y += x[i].y * b.y;
            sum.z += x[i].z * b.z;
            sum.w += x[i].w * b.w;
        }
        const float s = scale * (sum.x + sum.y + sum.z + sum.w);
        const float m2 = max(m, s), p = exp(s - m2), alpha = exp(m - m2);
        m = m2;
        l = alpha * l + p;
        for (int i = 0; i < D / 4; i++) {
            const float4 b = four(value + 4 * i);
            const float4 scaled = make_float4(p * b.x, p * b.y, p * b.z, p * b.w);
            fma4(acc[i], alpha, acc[i], scaled);
        }
    }
    o += (head * n_q + row) * D;
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    for (int i = 0; i < D / 4; i++) {
        o[4 * i + 0] = to_element(acc[i].x * inverse);
        o[4 * i + 1] = to_element(acc[i].y * inverse);
        o[4 * i + 2] = to_element(acc[i].z * inverse);
        o[4 * i + 3] = to_element(acc[i].w * inverse);
    }
    L[head * n_q + row] = l > 0.0f ? m + log(l) : -INFINITY;
}
