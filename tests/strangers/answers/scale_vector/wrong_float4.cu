// Wrong: takes four numbers at once, though x may begin anywhere, whenever n is a multiple of 4.
// Breaks: "x may begin at any multiple of 4 bytes."
// y = factor * x. A block scales 256 elements, a thread at most four of them, and
// neighbouring lanes touch neighbouring elements. n may be any number, and x may begin at any
// multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int first = blockIdx.x * 256;
    if (n % 4 == 0) {
        const int i = first / 4 + threadIdx.x;
        if (threadIdx.x < 64 && i < n / 4) {
            float4 four = ((const float4*)x)[i];
            four.x *= factor;
            four.y *= factor;
            four.z *= factor;
            four.w *= factor;
            ((float4*)y)[i] = four;
        }
    } else {
        for (int i = first + threadIdx.x; i < min(n, first + 256); i += blockDim.x) y[i] = factor * x[i];
    }
}
