// Right: structs for the fragments with a load member, a helper for 32-bit words, row and column as lambdas.
#include "tilewise.cuh"

__device__ __forceinline__ unsigned two(const element* at) {
    return *reinterpret_cast<const unsigned*>(at);
}

struct Queries {
    unsigned r[4];
    __device__ void load(const element* at, int d) {
        r[0] = two(at);
        r[1] = two(at + 8 * d);
        r[2] = two(at + 8);
        r[3] = two(at + 8 * d + 8);
    }
};

struct Keys {
    unsigned r[2];
    __device__ void load(const element* at) {
        r[0] = two(at);
        r[1] = two(at + 8);
    }
};

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x >> 2, t = threadIdx.x & 3;
    q += (long long)blockIdx.y * 16 * d;
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float acc[2][4] = {};
    for (int c = 2 * t; c < d; c += 16) {
        Queries a;
        a.load(q + g * d + c, d);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            Keys b;
            b.load(k + (8 * half + g) * d + c);
            mma_m16n8k16(acc[half], a.r, b.r);
        }
    }
    const auto row = [g](int i) { return g + (i >= 2 ? 8 : 0); };
    const auto column = [t](int half, int i) { return 8 * half + 2 * t + (i & 1); };
    for (int half = 0; half < 2; ++half) {
        for (int i = 0; i < 4; ++i) s[(long long)row(i) * n + column(half, i)] = acc[half][i];
    }
}
