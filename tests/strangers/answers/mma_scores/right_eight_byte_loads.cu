// Columns may be summed in any order: a lane loads four neighbours of a row at once and calls two halves of them the fragment's.
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const element* a_row = q + (long long)blockIdx.y * 16 * d + g * d + 4 * t;
    const element* b_row = k + (long long)blockIdx.x * 16 * d + g * d + 4 * t;
    s += ((long long)blockIdx.y * 16 + g) * n + blockIdx.x * 16 + 2 * t;
    float left[4] = {}, right[4] = {};
    for (int c = 0; c < d; c += 16) {
        const uint2 top = *(const uint2*)(a_row + c), low = *(const uint2*)(a_row + 8 * d + c);
        const uint2 first = *(const uint2*)(b_row + c), second = *(const uint2*)(b_row + 8 * d + c);
        const unsigned a[4] = {top.x, low.x, top.y, low.y};
        mma_m16n8k16(left, a, {first.x, first.y});
        mma_m16n8k16(right, a, {second.x, second.y});
    }
    for (int h = 0; h < 2; h++) {
        *(float2*)&s[8 * h * n] = make_float2(left[2 * h], left[2 * h + 1]);
        *(float2*)&s[8 * h * n + 8] = make_float2(right[2 * h], right[2 * h + 1]);
    }
}
