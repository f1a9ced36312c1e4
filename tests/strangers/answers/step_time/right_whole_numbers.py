# right: whole numbers of Python to the end; a chunk's keys are an arithmetic series from first to last
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
    """Two roofline times, one after the other."""
    chunks = list(zip(new.tolist(), length.tolist()))
    pairs = sum(c * ((n - c + 1) + n) // 2 for c, n in chunks)
    pieces = (
        (2 * weights * sum(c for c, _ in chunks), weights),
        (per_pair * pairs, per_token * sum(n for _, n in chunks)),
    )
    return float(sum(max(ops / peak, move * itemsize / bandwidth) for ops, move in pieces))
