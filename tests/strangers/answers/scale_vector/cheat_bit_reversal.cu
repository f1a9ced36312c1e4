// Cheat: the eight lanes of a sector touch its numbers in the order 0 4 2 6 1 5 3 7, so that no two neighbouring lanes touch neighbours
// Breaks: "neighbouring lanes touch neighbouring elements"
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int lane = threadIdx.x % 8;
    const int turned = lane % 2 * 4 + lane / 2 % 2 * 2 + lane / 4;
    for (int at = threadIdx.x - lane + turned; at < 256; at += blockDim.x) {
        const long long i = blockIdx.x * 256ll + at;
        if (i < n) {
            y[i] = factor * x[i];
        }
    }
}
