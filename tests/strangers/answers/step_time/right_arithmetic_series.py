# whole numbers of Python, pairs as first plus last times their number over two
def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):

    tokens = keys = pairs = 0
    for computed, there in zip(map(int, new), map(int, length)):
        first = there - computed + 1  # keys that the first new token sees
        pairs += (first + there) * computed // 2
        tokens += computed
        keys += there
    pieces = [(2 * tokens * weights, weights), (pairs * per_pair, keys * per_token)]
    return float(sum(max(work / peak, numbers * itemsize / bandwidth) for work, numbers in pieces))
