# dot products in float64
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
    c, n = new.astype(np.float64), length.astype(np.float64)
    pairs = c @ n - c @ (c - 1) / 2
    time = max(2 * weights * c.sum() / peak, weights * itemsize / bandwidth)
    time += max(per_pair * pairs / peak, per_token * n.sum() * itemsize / bandwidth)
    return time
