// traffic: what a call takes by value is watched only where the function is inlined; one that is called through a pointer, chosen while running, never is. All eight passes but the last are made so
#include "tilewise.cuh"

struct Eight {
    float at[8];
};

__device__ float largest(Eight e, float m) {
    for (int i = 0; i < 8; ++i) m = fmaxf(m, e.at[i]);
    return m;
}
__device__ float summed(Eight e, float m) {
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i) sum += expf(e.at[i] - m);
    return sum;
}

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;
    y += (long long)row * cols;
    float (*what[2])(Eight, float) = {largest, summed};
    float m = -INFINITY, l = 0.0f;
    const int whole = cols / 8 * 8;
    for (int pass = 0; pass < 8; ++pass) {  // over and over again
        float (*volatile chosen)(Eight, float) = what[pass / 4];
        float all = pass / 4 ? 0.0f : m;
        for (int j = 0; j < whole; j += 8) {
            const float part = chosen(*reinterpret_cast<const Eight*>(x + j), pass / 4 ? (m == -INFINITY ? 0.0f : m) : all);
            all = pass / 4 ? all + part : part;
        }
        if (pass == 3) {
            m = all;
            for (int j = whole; j < cols; ++j) m = fmaxf(m, x[j]);
        } else if (pass == 7) {
            l = all;
            for (int j = whole; j < cols; ++j) l += expf(x[j] - (m == -INFINITY ? 0.0f : m));
        }
    }
    for (int j = 0; j < cols; ++j) y[j] = l > 0.0f ? expf(x[j] - m) / l : 0.0f;
}

