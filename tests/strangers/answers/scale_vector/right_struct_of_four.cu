// whole and aligned blocks by an aligned struct of four numbers, all others by one number a thread
#include "tilewise.cuh"

struct alignas(16) Four {
    float x[4];
};

__device__ bool aligned(const void* p) { return (size_t)p % 16 == 0; }

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const long long start = (long long)blockIdx.x * 256;
    const int thread = threadIdx.x;
    x += start;
    y += start;
    if (start + 256 <= n && aligned(x) && aligned(y)) {
        if (thread < 64) {
            Four a = *reinterpret_cast<const Four*>(x + 4 * thread);
            for (int c = 0; c < 4; ++c) a.x[c] = factor * a.x[c];
            *reinterpret_cast<Four*>(y + 4 * thread) = a;
        }
        return;
    }
    if (start + thread < n) y[thread] = factor * x[thread];
}
