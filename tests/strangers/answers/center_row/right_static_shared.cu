// static __shared__ in the kernel itself, as in many a code on the web.
#include "tilewise.cuh"

__inline__ __device__ float warpReduceSum(float val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffffu, val, offset);
    return val;
}
__inline__ __device__ float blockReduceSum(float val) {
    __shared__ float shared[32];
    const int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0) val = warpReduceSum(val);
    return val;
}
extern "C" __global__ void center_row(const float* x, float* y, int cols) {
    static __shared__ float mean;
    const size_t base = (size_t)blockIdx.x * cols;
    float sum = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += x[base + i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0) mean = sum / cols;
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += blockDim.x) y[base + i] = x[base + i] - mean;
}
