// wrong: a thread takes four neighbours one by one, so neighbouring lanes lie 16 bytes apart: every request touches four times the sectors
// y = factor * x. A block scales its 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    if (threadIdx.x < 64) {
        const int first = blockIdx.x * 256 + 4 * threadIdx.x;
        for (int i = first; i < first + 4 && i < n; ++i) y[i] = factor * x[i];
    }
}
