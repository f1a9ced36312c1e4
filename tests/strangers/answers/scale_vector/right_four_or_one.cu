// 64 threads of a block take four neighbours by 16 bytes where both pointers allow, the last few singly; else all 256 take one each.
#include "tilewise.cuh"

__device__ bool by_sixteen(const void* p) { return reinterpret_cast<size_t>(p) % 16 == 0; }

__device__ void scale_some(const float* x, float* y, int count, float factor) {
    for (int k = 0; k < count; k++) {
        y[k] = x[k] * factor;
    }
}

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    const bool wide = by_sixteen(x) && by_sixteen(y);
    const int each = wide ? 4 : 1;
    const int in_block = each * (int)threadIdx.x;
    const int left = n - ((int)blockIdx.x * 256 + in_block);
    if (in_block >= 256 || left <= 0) {
        return;
    }
    x += n - left;
    y += n - left;
    if (wide && left >= 4) {
        const float4 in = *reinterpret_cast<const float4*>(x);
        float4 out;
        out.x = in.x * factor;
        out.y = in.y * factor;
        out.z = in.z * factor;
        out.w = in.w * factor;
        *reinterpret_cast<float4*>(y) = out;
    } else {
        scale_some(x, y, min(each, left), factor);
    }
}
