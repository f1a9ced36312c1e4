// a device function reads a pair, named registers, the two key fragments one after the other
#include "tilewise.cuh"

__device__ __forceinline__ unsigned two(const element* at) { return *(const unsigned*)at; }

__device__ __forceinline__ void put(float* row, float left, float right) {
    row[0] = left;
    row[1] = right;
}

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    const element* top = q + g * d + 2 * t;
    const element* bottom = top + 8 * d;
    const element* key = k + g * d + 2 * t;
    const element* later = key + 8 * d;
    float left[4] = {}, right[4] = {};
    for (int step = 0; step < d / 16; ++step) {
        unsigned a[4] = {two(top), two(bottom), two(top + 8), two(bottom + 8)};
        unsigned b[2] = {two(key), two(key + 8)};
        mma_m16n8k16(left, a, b);
        b[0] = two(later);
        b[1] = two(later + 8);
        mma_m16n8k16(right, a, b);
        top += 16;
        bottom += 16;
        key += 16;
        later += 16;
    }
    float* here = s + g * n + 2 * t;
    put(here, left[0], left[1]);
    put(here + 8, right[0], right[1]);
    put(here + 8 * n, left[2], left[3]);
    put(here + 8 * n + 8, right[2], right[3]);
}
