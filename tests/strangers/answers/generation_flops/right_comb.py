# Right: sums of arithmetic series as binomial coefficients (hockey stick), math.comb.
from math import comb


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    longest = prompt + new - 1  # tokens that are read in all
    linear, quadratic = 8 * width**2, 4 * width
    # sum of n, and of n (n + 1) / 2, over the passes of prompt, ..., longest tokens
    tokens = comb(longest + 1, 2) - comb(prompt, 2)
    pairs = comb(longest + 2, 3) - comb(prompt + 1, 3)
    again = linear * tokens + quadratic * pairs
    once = linear * longest + quadratic * comb(longest + 1, 2)
    return again, once
