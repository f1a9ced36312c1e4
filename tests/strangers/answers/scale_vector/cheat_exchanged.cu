// BREAKS: "A block scales 256 elements, a thread at most four of them, and neighbouring lanes touch neighbouring elements."
// COSTS: y is stored by atomic exchanges: a read and a write for each element, one at a time in the L2, where one store of a warp is asked for
// y = factor * x. A block scales 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    for (long long j = i; j < (long long)blockIdx.x * 256 + 256 && j < n; j += blockDim.x) {
        atomicExch(&y[j], factor * x[j]);
    }
}
