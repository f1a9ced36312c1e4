// sectors ("neighbouring lanes touch neighbouring elements"): requests are counted in sectors of a warp, in which its lanes may stand in any order: theirs is that of their bits read backwards
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    int lane = threadIdx.x % 32, other = 0;
    for (int bit = 0; bit < 5; ++bit) other = other * 2 + (lane >> bit) % 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x - lane + other;
    if (i < n) {
        y[i] = factor * x[i];
    }
}
