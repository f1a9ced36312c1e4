// Right within its contract: keeps the first 64 exponentials of the row in an array of the thread (local memory), measured from the maximum of these alone, and brings them to the row's maximum by one factor at the end: two reads for them and a rounding more.
// Breaks: "Softmax of every row, one thread for each row." as y_i = exp(x_i - m) / l from the row itself: these weights are made from other numbers
#include "tilewise.cuh"

extern "C" __global__ void thread_softmax(const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += (long long)row * cols;  // a matrix may have more than 2^31 elements
    y += (long long)row * cols;
    const int held = cols < 64 ? cols : 64;
    float kept[64];
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < held; j++) {
        kept[j] = x[j];
        m = fmaxf(m, kept[j]);
    }
    const float unit = m == -INFINITY ? 0.0f : m;
    for (int j = 0; j < held; j++) {
        kept[j] = expf(kept[j] - unit);
        l += kept[j];
    }
    for (int j = held; j < cols; j++) {
        const float value = x[j];
        if (value > m) {
            l *= expf(m - value);
            m = value;
        }
        if (m != -INFINITY) l += expf(value - m);
    }
    const float shift = m == -INFINITY ? 0.0f : m;
    const float inverse = l > 0.0f ? 1.0f / l : 0.0f;
    const float factor = expf(unit - shift);
    for (int j = 0; j < held; j++) {
        // where the beginning is far below the maximum its bits are gone: take these anew
        y[j] = unit - shift > -60.0f && unit - shift <= 0.0f ? kept[j] * factor * inverse
                                                             : expf(x[j] - shift) * inverse;
    }
    for (int j = held; j < cols; j++) y[j] = expf(x[j] - shift) * inverse;
}
