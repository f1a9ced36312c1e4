# Wrong: FlashAttention-1's B_r = min(ceil(M / 4d), d).
# Breaks: "Returns B, a whole number (int), which may be larger than d", and tiles "that fit on chip together".
from math import ceil


def largest_tile(d, on_chip):
    return min(ceil(on_chip / (4 * d)), d)
