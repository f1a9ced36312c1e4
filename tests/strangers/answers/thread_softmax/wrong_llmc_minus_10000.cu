// Wrong: the maximum begins at -10000 as in llm.c, so that a row that lies far below comes out as zeros.
// Breaks: "Softmax of every row": only "A row of -inf gives zeros."
// Softmax of every row, one thread for each row. x, y: (rows, cols).
// x is read at most three times, y is written once. A row of -inf gives zeros.
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    float maxval = -10000.0f;  // TODO something better
    for (int j = 0; j < cols; j++) maxval = fmaxf(maxval, x[j]);
    float sum = 0.0f;
    for (int j = 0; j < cols; j++) sum += expf(x[j] - maxval);
    const float norm = sum == 0.0f ? 0.0f : 1.0f / sum;
    for (int j = 0; j < cols; j++) y[j] = expf(x[j] - maxval) * norm;
}
