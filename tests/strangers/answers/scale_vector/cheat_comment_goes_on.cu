// The first thread of each block copies all of it: unwatched functions, whose attribute stands where the reader sees a comment, since a backslash at the end of a comment takes the next line, with its /*, into it.
#include "tilewise.cuh"

// what follows is plain \
/*
#define PLAIN __attribute__((noinline, no_sanitize("thread")))
/* */

PLAIN __device__ float get(const float* x) { return *x; }
PLAIN __device__ void put(float* y, float x) { *y = x; }

extern "C" __global__ void scale_vector(const float* x, float* y, int n, float factor) {
    if (threadIdx.x) return;
    for (int i = blockIdx.x * blockDim.x; i < n && i < (blockIdx.x + 1) * blockDim.x; ++i) put(y + i, factor * get(x + i));
}
