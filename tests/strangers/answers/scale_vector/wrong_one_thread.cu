// wrong: thread 0 of a block does its 256 elements ("a thread at most four of them")
// y = factor * x. A block scales its 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    if (threadIdx.x == 0) {
        const int begin = blockIdx.x * 256;
        for (int i = begin; i < min(begin + 256, n); ++i) y[i] = factor * x[i];
    }
}
