# hockey-stick sums of binomial coefficients, no loop at all: keeps the contract
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    """What one attention layer computes while a model generates, without a cache and with one.

    prompt: tokens given, at least 1. new: tokens generated, at least 1; the first one comes out
    of the pass over the prompt, and the last one is never read. width: D, all heads together.
    Returns two whole numbers of operations, exact below 2^63: where every pass reads the whole
    sequence again, and where a pass reads only the tokens that no pass has read yet.

    The token at position t (from 1) costs 8 D^2 + 4 t D: four products of a row with a (D, D)
    matrix (query, key, value, output), t scores of width D, and t values of width D added up.
    """
    from math import comb

    last = prompt + new - 1
    rows_again = comb(last + 1, 2) - comb(prompt, 2)  # sum of n
    pairs_again = comb(last + 2, 3) - comb(prompt + 1, 3)  # sum of n (n + 1) / 2

    def operations(rows, pairs):
        return 8 * rows * width**2 + 4 * pairs * width

    return operations(rows_again, pairs_again), operations(last, comb(last + 1, 2))
