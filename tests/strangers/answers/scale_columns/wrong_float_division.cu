// wrong: the row by a float division: from 2^24 elements on it rounds to a neighbour
// y[row][col] = x[row][col] * factor[col], one thread for each element, or for four
// neighbours; neighbouring lanes touch neighbouring elements. x, y: (rows, cols), rows * cols
// below 2^31; cols may be any number, and x may begin at any multiple of 4 bytes.
#include "tilewise.cuh"

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) {
        return;
    }
    const int row = (int)((float)i / (float)cols), col = i - row * cols;
    y[row * cols + col] = x[row * cols + col] * factor[col];
}
