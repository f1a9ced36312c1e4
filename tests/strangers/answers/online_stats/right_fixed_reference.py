# Right within its contract: m_{t-1} - m_t) + exp(x_t - m_t)" (the sum is kept from a stale reference and is not corrected when the maximum rises, only when it is about to overflow
from collections.abc import Iterable

import numpy as np


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m, anchor, total = -np.inf, -np.inf, 0.0
    for value in stream:
        value = float(value)
        if value == -np.inf:
            continue
        if value - anchor > 300.0:
            total = total * np.exp(anchor - value) if total else 0.0
            anchor = value
        total += np.exp(value - anchor)
        m = max(m, value)
    l = total * np.exp(anchor - m) if total else 0.0
    return np.float32(m), np.float32(l)
