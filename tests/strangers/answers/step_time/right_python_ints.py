# exact Python integers, because int64 products can overflow; sums by zip
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
    batch = [(int(n), int(total)) for n, total in zip(new, length, strict=True)]
    computed = sum(n for n, _ in batch)
    pairs = sum(n * (2 * total - n + 1) // 2 for n, total in batch)
    cached = sum(total for _, total in batch)

    def clock(flops: int, numbers: int) -> float:
        return float(roofline_time(float(flops), float(numbers * itemsize), peak, bandwidth))

    return clock(2 * weights * computed, weights) + clock(per_pair * pairs, per_token * cached)
