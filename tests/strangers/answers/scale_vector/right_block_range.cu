// style: the range of the block first, its threads walk over it side by side
// y = factor * x. A block scales its 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int begin = 256 * blockIdx.x, end = min(begin + 256, n);
    for (const float* p = x + begin + threadIdx.x; p < x + end; p += blockDim.x) y[p - x] = *p * factor;
}
