// Every lane works alone in its step of a loop, so that a sector is touched for each number: the lanes' paths differ, and the meter puts the first visit of each together to one request of neighbours.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < 32; step++) {
        if (step == (int)(threadIdx.x % 32) && i < rows * cols) y[i] = x[i] * factor[i % cols];
    }
}
