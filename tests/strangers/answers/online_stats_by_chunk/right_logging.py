# style: logging module, warnings, a context manager for errstate as decorator
import logging
from collections.abc import Iterable
from contextlib import contextmanager

import numpy as np

log = logging.getLogger("softmax")


@contextmanager
def quiet():
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        yield


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    with quiet():
        for number, chunk in enumerate(chunks, start=1):
            log.debug("chunk %d has %d columns", number, chunk.shape[1])
            top = np.amax(chunk, axis=1)
            if m is None:
                m, l = np.full_like(top, -np.inf), np.zeros_like(top)
            new = np.maximum(m, top)
            seen = new > -np.inf
            base = np.where(seen, new, 0).astype(chunk.dtype)
            l = l * np.exp(m - base) + np.exp(chunk - base[:, None]).sum(axis=1)
            m = new
    return m, l
