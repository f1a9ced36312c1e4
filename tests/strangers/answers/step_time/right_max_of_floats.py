# Plain Python floats and two max, the pairs by a sum over each chunk.
def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    tokens = int(sum(new))
    first = max(2.0 * tokens * weights / peak, weights * itemsize / bandwidth)
    pairs = 0
    for n, end in zip(new.tolist(), length.tolist()):
        pairs += sum(end - i for i in range(n))
    second = max(pairs * per_pair / peak, int(length.sum()) * per_token * itemsize / bandwidth)
    return np.float64(first + second)
