// Breaks: "neighbouring lanes touch neighbouring elements" (lanes of a warp take its 32 elements in bit-reversed order: the same sectors)
// y = factor * x. A block scales 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    for (int j = threadIdx.x; j < 256; j += blockDim.x) {
        const int lane = j % 32;
        const int turned = lane % 2 * 16 + lane / 2 % 2 * 8 + lane / 4 % 2 * 4 + lane / 8 % 2 * 2 + lane / 16;
        const int i = blockIdx.x * 256 + j - lane + turned;
        if (i < n) y[i] = factor * x[i];
    }
}
