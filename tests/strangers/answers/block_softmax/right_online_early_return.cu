// style: online maximum and sum in each thread, early return of a masked row, functors kept
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
    // m and l of this thread's numbers together, so that x is read twice and not three times
    float m = -INFINITY, l = 0.0f;
    for (int j = thread; j < cols; j += THREADS) {
        const float value = x[j], larger = fmaxf(m, value);
        if (larger == -INFINITY) continue;
        l = l * expf(m - larger) + expf(value - larger);
        m = larger;
    }
    const float top = block_reduce(m, partial, Max{});
    if (top == -INFINITY) {  // the same in all threads
        for (int j = thread; j < cols; j += THREADS) y[j] = 0.0f;
        return;
    }
    l = block_reduce(l * expf(m - top), partial, Sum{});
    for (int j = thread; j < cols; j += THREADS) y[j] = expf(x[j] - top) / l;
}
