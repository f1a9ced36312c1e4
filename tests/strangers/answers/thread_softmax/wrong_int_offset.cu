// Drops the given long long: int offset row * cols wraps for matrices of more than 2^31 elements (e.g. 70000 x 40000), small ones are right.
// Softmax of every row, one thread for each row. x, y: (rows, cols).
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    int start = row * cols;
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < cols; j++) m = fmaxf(m, x[start + j]);
    if (m == -INFINITY) m = 0.0f;
    for (int j = 0; j < cols; j++) l += expf(x[start + j] - m);
    float scale = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = 0; j < cols; j++) y[start + j] = scale * expf(x[start + j] - m);
}
