// Right: a struct with a constructor for row and column, static inline device functions, C casts, comma-free old C
#include "tilewise.cuh"

struct Place {
    int row, col;
    __device__ Place(int index, int cols) : row(index / cols), col(index - index / cols * cols) {}
};

static __device__ inline int global_thread(void) {
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

extern "C" __global__ void scale_columns(const float* x, const float* factor, float* y,
                                         int rows, int cols) {
    /* the broken line was: const int row = i % rows, col = i / rows; */
    const int i = global_thread();
    if (!(i < rows * cols))
        return;
    const Place here(i, cols);
    const float f = factor[here.col];
    *(y + i) = *(x + i) * f;
#if 0
    printf("%d %d %f\n", here.row, here.col, f);
#endif
}
