// Means to get around what no meter asks: the row is held in shared memory, not in the registers of its threads, and every thread makes the sums of the whole row for itself.
#include "tilewise.cuh"

extern "C" __global__ void warp_softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float kept[32768];
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    x += (long long)row * cols;
    y += (long long)row * cols;
    float* mine = kept + threadIdx.y * 512;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) mine[j] = x[j];
    if (blockDim.x > 32) __syncthreads();
    else __syncwarp();
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < cols; j++) m = fmaxf(m, mine[j]);
    const float shift = m == -INFINITY ? 0.0f : m;
    for (int j = 0; j < cols; j++) l += expf(mine[j] - shift);
    const float norm = l == 0.0f ? 0.0f : 1.0f / l;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) y[j] = expf(mine[j] - shift) * norm;
}
