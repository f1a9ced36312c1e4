# Right: the answer is a lambda that is bound to the name, with a helper lambda
import numpy as np

_finite = lambda m: np.where(m == -np.inf, np.float32(0), m)
log_sum_exp = lambda x: (
    np.log(np.exp(x - (m := _finite(x.max(axis=-1, keepdims=True)))).sum(axis=-1)) + m[..., 0]
)
