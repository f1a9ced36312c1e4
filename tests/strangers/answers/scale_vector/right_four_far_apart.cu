// a quarter of the threads, four numbers each that lie 64 apart
// y = factor * x. A block scales its 256 elements, a thread one of them or four neighbours, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    if (threadIdx.x >= 64) return;
    for (int k = 0; k < 4; k++) {
        int i = blockIdx.x * blockDim.x + threadIdx.x + 64 * k;
        if (i < n) y[i] = factor * x[i];
    }
}
