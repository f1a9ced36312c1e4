// float4 by a quarter of the threads where both addresses are multiples of 16, else one number for each thread
// y = factor * x. A block scales its 256 elements, a thread one of them or four neighbours.
// n need not be a multiple of 4, nor x begin at one of 16 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const int start = blockIdx.x * 256;
    const unsigned long long both =
        reinterpret_cast<unsigned long long>(x) | reinterpret_cast<unsigned long long>(y);
    if (both % 16 != 0) {
        const int left = n - start;  // of this block
        if ((int)threadIdx.x < left) y[start + threadIdx.x] = factor * x[start + threadIdx.x];
        return;
    }
    const int i = start + 4 * threadIdx.x;
    if (threadIdx.x >= 64 || i >= n) return;
    if (n - i >= 4) {
        const float4 f = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) = {factor * f.x, factor * f.y, factor * f.z, factor * f.w};
    } else {
        for (int k = i; k < n; k++) y[k] = factor * x[k];
    }
}
