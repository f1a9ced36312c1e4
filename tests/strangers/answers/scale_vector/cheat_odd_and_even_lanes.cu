// Breaks: "Bytes moved: those of x once, and those of y once, in whole sectors." (odd lanes load and store by a statement of their own: every sector is asked for twice)
// y = factor * x. A block scales 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (threadIdx.x % 2 == 0) { y[i] = factor * x[i]; } else { y[i] = factor * x[i]; }
}
