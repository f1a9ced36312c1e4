// sharing: the first block of each row of blocks does the work of all, and the others of its grid return at once
// y = factor * x, one thread for each element.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    if (blockIdx.x > 0) return;
    for (unsigned unit = 0; unit < gridDim.x; ++unit) {
        int i = unit * blockDim.x + threadIdx.x;
        if (i < n) {  // the last block may reach past the end
            y[i] = factor * x[i];
        }
        __syncthreads();
    }
}
