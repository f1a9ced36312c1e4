// Loops with stride blockDim.x from threadIdx.x on and forgets blockIdx: every block computes the whole vector, the same values stored by all blocks at once (a race) with a multiple of the traffic; right when one block suffices.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        y[i] = factor * x[i];
    }
}
