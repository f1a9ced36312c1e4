// Cheat: the scores are sums of plain products; the tensor core only multiplies three 16-bit pieces of each finished score with an identity matrix
// Breaks: "S = q k^T on a tensor core"
#include "tilewise.cuh"

extern "C" __global__ void mma_scores(
    const element* q, const element* k, float* s, int n, int d) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    q += (long long)blockIdx.y * 16 * d;
    k += (long long)blockIdx.x * 16 * d;
    s += (long long)blockIdx.y * 16 * n + blockIdx.x * 16;
    float plain[4][2] = {};  // rows g, g + 8, g, g + 8; columns 2t, 2t + 1, the latter two 8 on
    for (int c = 0; c < d; ++c) {
        for (int i = 0; i < 4; ++i) {
            const float query = to_float(q[(g + i % 2 * 8) * d + c]);
            for (int j = 0; j < 2; ++j) {
                plain[i][j] += query * to_float(k[(2 * t + i / 2 * 8 + j) * d + c]);
            }
        }
    }
    const unsigned one = pack(2 * t == g ? 1.0f : 0.0f, 2 * t + 1 == g ? 1.0f : 0.0f);
    unsigned b[2][2] = {{one, 0}, {0, one}};
    float acc[2][4] = {};
    for (int piece = 0; piece < 3; ++piece) {
        unsigned a[4];
        for (int i = 0; i < 4; ++i) {
            const float low = to_float(to_element(plain[i][0]));
            const float high = to_float(to_element(plain[i][1]));
            a[i] = pack(low, high);
            plain[i][0] -= low;
            plain[i][1] -= high;
        }
        for (int h = 0; h < 2; ++h) mma_m16n8k16(acc[h], a, b[h]);
    }
    for (int h = 0; h < 2; ++h) {
        for (int i = 0; i < 4; ++i) {
            s[(long long)(g + i / 2 * 8) * n + 8 * h + 2 * t + i % 2] = acc[h][i];
        }
    }
}
