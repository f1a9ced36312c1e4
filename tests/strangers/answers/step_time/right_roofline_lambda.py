# Right: a local roofline lambda, numpy dot products, np.float64 throughout, asserts about shapes
import numpy as np


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
    assert new.shape == length.shape and (new >= 1).all()
    n, t = new.astype(np.float64), length.astype(np.float64)
    roof = lambda flops, numbers: max(flops / peak, numbers * itemsize / bandwidth)  # noqa: E731
    pairs = n @ t - n @ (n - 1) / 2  # a triangle is hidden
    return roof(2.0 * weights * n.sum(), weights) + roof(per_pair * pairs, per_token * t.sum())
