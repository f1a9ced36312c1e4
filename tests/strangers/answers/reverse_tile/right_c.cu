// style: C programmer: comments, braces, printf left behind in a comment
#include "tilewise.cuh"

extern "C" __global__ void reverse_tile(const float* x, float* y, int n)
{
    __shared__ float tile[TILE];
    const int thread = threadIdx.x, start = blockIdx.x * TILE;
    const int size = min(TILE, n - start);

    if (thread < size)
    {
        tile[thread] = x[start + thread];
    }
    __syncthreads();   /* everybody, not only thread < size */
    /* printf("%d: %f\n", thread, tile[thread]); */
    if (thread < size)
    {
        y[start + thread] = tile[size - 1 - thread];
    }
}
