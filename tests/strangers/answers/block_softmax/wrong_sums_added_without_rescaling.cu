// denominators are added without bringing them to the common maximum
#include "tilewise.cuh"

struct MD { float m, d; };

// two statistics at once: (m, d) pairs merged by halves
__device__ MD join(MD a, MD b) {
    float m = fmaxf(a.m, b.m);
    float z = m == -INFINITY ? 0.0f : m;
    return {m, a.d + b.d};
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float ms[THREADS], ds[THREADS];
    int t = threadIdx.x;
    long long base = (long long)blockIdx.x * cols;
    MD own = {-INFINITY, 0.0f};
    for (int j = t; j < cols; j += THREADS) {
        float v = x[base + j];
        float m = fmaxf(own.m, v);
        float z = m == -INFINITY ? 0.0f : m;
        own.d = own.d * expf(own.m - z) + expf(v - z);
        own.m = m;
    }
    ms[t] = own.m;
    ds[t] = own.d;
    for (int half = THREADS / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (t < half) {
            own = join(own, MD{ms[t + half], ds[t + half]});
            ms[t] = own.m;
            ds[t] = own.d;
        }
    }
    __syncthreads();
    float m = ms[0] == -INFINITY ? 0.0f : ms[0], d = ds[0] > 0.0f ? ds[0] : 1.0f;
    for (int j = t; j < cols; j += THREADS) y[base + j] = expf(x[base + j] - m) / d;
}
