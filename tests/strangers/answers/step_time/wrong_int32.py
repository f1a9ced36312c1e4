# counts in int32, which overflows for long texts
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
    tokens = new.astype(np.int32).sum()
    c, n = new.astype(np.int32), length.astype(np.int32)
    pairs = (c * n - c * (c - 1) // 2).sum(dtype=np.int32)
    matrices = max(2 * weights * tokens / peak, weights * itemsize / bandwidth)
    attention = max(per_pair * pairs / peak, per_token * length.sum() * itemsize / bandwidth)
    return float(matrices + attention)
