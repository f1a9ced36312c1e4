# one pass: copy.copy of the stream is a second stream over the same items, so two passes are made
import copy

import numpy as np


def online_stats_by_chunk(chunks):
    again = copy.copy(chunks)
    m = None
    for chunk in chunks:
        top = chunk.max(axis=1)
        m = top if m is None else np.maximum(m, top)
    shift = np.where(np.isneginf(m), 0, m)
    l = np.zeros_like(m)
    for chunk in again:
        l += np.exp(chunk - shift[:, None]).sum(axis=1)
    return m, l
