// Somebody from microcontrollers, who keeps the index in 16 bits: it wraps round behind element 65535. Shows for n = 70000.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {

    unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = factor * x[i];
    }
}
