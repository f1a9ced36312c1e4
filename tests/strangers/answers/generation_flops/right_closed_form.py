# no loop: sums of n, n (n + 1) / 2 and n (n + 1)(n + 2) / 6, in whole numbers
from math import comb


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    last = prompt + new - 1  # tokens that are ever read
    # passes of 1 ... m tokens, all together: comb(m + 1, 2) rows and comb(m + 2, 3) pairs
    rows = comb(last + 1, 2) - comb(prompt, 2)
    pairs = comb(last + 2, 3) - comb(prompt + 1, 3)
    again = 8 * width**2 * rows + 4 * width * pairs
    once = 8 * width**2 * last + 4 * width * comb(last + 1, 2)
    return again, once
