// Maximum and denominator in one reading (online), the second writes: x twice in all. The pair is merged by two reductions.
#include "tilewise.cuh"

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Merge>
__device__ float block_reduce(float value, float* partial, Merge merge) {
    const int thread = threadIdx.x;
    partial[thread] = value;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half) partial[thread] = merge(partial[thread], partial[thread + half]);
    }
    __syncthreads();
    value = partial[0];
    __syncthreads();
    return value;
}

extern "C" __global__ void block_softmax(const float* x, float* y, int cols) {
    __shared__ float partial[THREADS];
    const int thread = threadIdx.x;
    x += (long long)blockIdx.x * cols;
    y += (long long)blockIdx.x * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        const float a = x[j];
        if (a > m) {
            l = l * expf(m - a) + 1.0f;
            m = a;
        } else if (m > -INFINITY) {
            l += expf(a - m);
        }
    }
    const float top = block_reduce(m, partial, Max());
    const float total = block_reduce(m > -INFINITY ? l * expf(m - top) : 0.0f, partial, Sum());
    for (int j = thread; j < cols; j += THREADS) {
        y[j] = total > 0.0f ? expf(x[j] - top) / total : 0.0f;
    }
}
