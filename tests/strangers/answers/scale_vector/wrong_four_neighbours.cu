// Wrong: a thread takes four neighbours, so that neighbouring lanes lie four elements apart.
// Breaks: "neighbouring lanes touch neighbouring elements."
// y = factor * x. A block scales 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    if (threadIdx.x >= 64) return;
    const int first = blockIdx.x * 256 + 4 * threadIdx.x;
    for (int i = first; i < first + 4; i++) {
        if (i < n) y[i] = factor * x[i];
    }
}
