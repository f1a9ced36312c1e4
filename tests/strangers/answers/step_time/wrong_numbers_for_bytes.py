# weights move in numbers, not in bytes
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
    tokens = new.sum()
    pairs = (new * length - new * (new - 1) // 2).sum()
    matrices = max(2 * weights * tokens / peak, weights / bandwidth)
    attention = max(per_pair * pairs / peak, per_token * length.sum() * itemsize / bandwidth)
    return float(matrices + attention)
