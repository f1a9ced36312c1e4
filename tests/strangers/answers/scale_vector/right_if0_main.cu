// a main that is switched off
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (unsigned)n) {
        y[i] = factor * x[i];
    }
}

#if 0  // my stand-alone test
int main() {
    float *x, *y;
    cudaMalloc(&x, 4000); cudaMalloc(&y, 4000);
    scale_vector<<<4, 256>>>(x, y, 1000, 2.f);
    return cudaDeviceSynchronize();
}
#endif
