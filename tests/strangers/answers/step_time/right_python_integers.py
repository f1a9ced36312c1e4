# plain loops over sequences in Python's integers, every pair of a token and a key counted
def step_time(
    new: np.ndarray,
    length: np.ndarray,
    weights: int,
    per_token: int,
    per_pair: int,
    itemsize: int,
    peak: float,
    bandwidth: float,
) -> float:
    tokens = pairs = kept = 0
    for c, n in zip(new.tolist(), length.tolist()):
        tokens += c
        kept += n
        for i in range(min(c, 10**5)):
            pairs += n - i
        assert c <= 10**5
    matrices = max(2 * weights * tokens / peak, weights * itemsize / bandwidth)
    return matrices + max(pairs * per_pair / peak, kept * per_token * itemsize / bandwidth)
