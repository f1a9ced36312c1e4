# combinatorics: sums of sums are binomial coefficients, math.comb
from math import comb


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    flat, slope = 8 * width * width, 4 * width  # a token at position t: flat + slope * t

    def one_pass(n: int) -> int:
        return flat * comb(n, 1) + slope * comb(n + 1, 2)

    def passes_up_to(n: int) -> int:
        return flat * comb(n + 1, 2) + slope * comb(n + 2, 3)

    longest = prompt + new - 1
    return passes_up_to(longest) - passes_up_to(prompt - 1), one_pass(longest)
