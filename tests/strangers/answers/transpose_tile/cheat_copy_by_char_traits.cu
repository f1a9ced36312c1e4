// Against sectors: loads and stores by a library's copy, which is not watched.
#include "tilewise.cuh"
#include <string>


extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && col < cols)
        std::char_traits<char>::copy((char*)(y + col * rows + row), (const char*)(x + row * cols + col), 4);
}
