// one thread for each element, flat, the column as what is left of the element number after whole rows
// y[row][col] = x[row][col] * factor[col], one thread for each element, or for four
// neighbours. x, y: (rows, cols); cols need not be a multiple of 4, nor x begin at one of 16
// bytes.
#include "tilewise.cuh"

__device__ int column_of(int element, int cols) { return element - element / cols * cols; }

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    const long long start = (long long)blockIdx.x * blockDim.x;  // the block's first element
    const long long left = (long long)rows * cols - start;
    const int thread = threadIdx.x;
    if (thread < left) {
        const float by = factor[column_of((int)start + thread, cols)];
        y[start + thread] = by * x[start + thread];
    }
}
