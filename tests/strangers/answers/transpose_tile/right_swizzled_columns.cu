// Right: no padding: columns of the tile are swizzled by XOR with the row; a small class for the tile with operator()
#include "tilewise.cuh"

// 32 x 32 numbers; element (r, c) lies in column c ^ r, so that rows and columns meet 32 banks.
class Swizzled {
  public:
    __device__ explicit Swizzled(float* memory) : memory_(memory) {}
    __device__ float& operator()(int r, int c) const { return memory_[(r << 5) | (c ^ r)]; }

  private:
    float* memory_;
};

extern "C" __global__ void transpose_tile(const float* x, float* y, int rows, int cols) {
    __shared__ float memory[32 * 32];
    const Swizzled tile(memory);
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int left = blockIdx.x << 5, top = blockIdx.y << 5;
    if (top + ty < rows && left + tx < cols) {
        tile(ty, tx) = x[(long long)(top + ty) * cols + left + tx];
    }
    __syncthreads();
    if (left + ty < cols && top + tx < rows) {
        y[(long long)(left + ty) * rows + top + tx] = tile(tx, ty);
    }
}
