// Where rows are multiples of four numbers and all is aligned, the first 64 threads of a block move four neighbours each.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int n = rows * cols, first = blockIdx.x * blockDim.x;
    const bool vector = cols % 4 == 0 && ((size_t)x | (size_t)y | (size_t)factor) % 16 == 0;
    if (vector) {
        const int i = first + 4 * threadIdx.x;
        if (threadIdx.x < blockDim.x / 4 && i < n) {
            float4 a = *(const float4*)(x + i);
            const float4 f = *(const float4*)(factor + i % cols);
            a.x *= f.x, a.y *= f.y, a.z *= f.z, a.w *= f.w;
            *(float4*)(y + i) = a;
        }
        return;
    }
    const int i = first + threadIdx.x;
    if (i < n) y[i] = x[i] * factor[i % cols];
}
