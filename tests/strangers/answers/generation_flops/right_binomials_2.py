# right: closed forms by binomial coefficients (sums of sums), whole numbers throughout
from math import comb


def generation_flops(prompt, new, width):
    longest = prompt + new - 1
    # over n from prompt to longest: sum of n, and sum of n (n + 1) / 2
    tokens = comb(longest + 1, 2) - comb(prompt, 2)
    keys = comb(longest + 2, 3) - comb(prompt + 1, 3)

    def price(projected, seen):
        return 4 * width * (2 * width * projected + seen)

    return price(tokens, keys), price(longest, comb(longest + 1, 2))
