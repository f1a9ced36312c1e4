// wrong: elements are dealt out to the blocks in turn (thread t of block b has element t * blocks + b): not the block's own 256, not coalesced from two blocks on
// y = factor * x. A block scales its 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n) y[i] = factor * x[i];
}
