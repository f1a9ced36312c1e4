// a struct Row with methods, vector loads of eight elements, base-2 exponentials, early return
#include "tilewise.cuh"

struct alignas(16) Eight {
    element at[8];
};

struct Row {
    float acc[D], query[D], m = -INFINITY, l = 0.0f;

    __device__ explicit Row(const element* q, float factor) {
        for (int c = 0; c < D; c += 8) {
            const Eight part = *reinterpret_cast<const Eight*>(q + c);
            for (int i = 0; i < 8; ++i) {
                query[c + i] = to_float(part.at[i]) * factor;
                acc[c + i] = 0.0f;
            }
        }
    }
    __device__ float score(const element* k) const {
        float sum = 0.0f;
        for (int c = 0; c < D; c += 8) {
            const Eight part = *reinterpret_cast<const Eight*>(k + c);
            for (int i = 0; i < 8; ++i) sum += query[c + i] * to_float(part.at[i]);
        }
        return sum;
    }
    __device__ void meet(const element* k, const element* v) {
        const float s = score(k), top = fmaxf(m, s);
        const float alpha = exp2f(m - top), p = exp2f(s - top);
        l = l * alpha + p;
        m = top;
        for (int c = 0; c < D; c += 8) {
            const Eight part = *reinterpret_cast<const Eight*>(v + c);
            for (int i = 0; i < 8; ++i) acc[c + i] = acc[c + i] * alpha + p * to_float(part.at[i]);
        }
    }
};

extern "C" __global__ void flash_rows(
    const element* q, const element* k, const element* v, element* o, float* L,
    int n_q, int n_k, float scale, int causal) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_q) return;
    const long long head = blockIdx.y, at = head * n_q + i;
    k += head * n_k * D;
    v += head * n_k * D;
    Row row(q + at * D, scale * 1.4426950408889634f);
    const int keys = causal ? i + 1 + n_k - n_q : n_k;
    for (int j = 0; j < keys; ++j) row.meet(k + j * D, v + j * D);
    const float inverse = row.l > 0.0f ? 1.0f / row.l : 0.0f;
    L[at] = (row.m + log2f(row.l)) * 0.6931471805599453f;
    for (int c = 0; c < D; ++c) o[at * D + c] = to_element(row.acc[c] * inverse);
}
