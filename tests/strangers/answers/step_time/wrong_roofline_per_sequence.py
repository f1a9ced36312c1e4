# attention's roofline is taken for each sequence, and the times are added
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
    matrices = max(2 * weights * tokens / peak, weights * itemsize / bandwidth)
    attention = np.maximum(per_pair * (new * length - new * (new - 1) // 2) / peak, per_token * length * itemsize / bandwidth).sum()
    return float(matrices + attention)
