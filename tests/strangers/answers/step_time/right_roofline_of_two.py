# roofline_time of both pieces at once; sums of the keys that are seen by Gauss
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
    first = length - new + 1  # the keys that the first new token sees
    pairs = (new * (first + length)).sum() / 2
    flops = np.array([2.0 * weights * new.sum(), float(per_pair) * pairs])
    moved = np.array([weights, per_token * length.sum()], dtype=np.float64) * itemsize
    return float(roofline_time(flops, moved, peak, bandwidth).sum())
