# Ceil of a float quotient, off for large n.
from collections.abc import Iterable

import numpy as np


def flash_attention_accesses(n, d, on_chip):
    b = on_chip // (4 * d)
    return n * d + int(np.ceil(n / b)) * 2 * n * d, n * d + n
