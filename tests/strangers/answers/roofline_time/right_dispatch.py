# style: isinstance dispatch, Protocol-free typing with TypeVar, doctest in the docstring
from typing import TypeVar

import numpy as np

Work = TypeVar("Work", float, np.ndarray)


def roofline_time(flops: Work, bytes_moved: Work, peak: float, bandwidth: float) -> Work:
    """The larger of the two times.

    >>> roofline_time(10, 30, 5, 10)
    3.0
    """
    if isinstance(flops, np.ndarray):
        return np.fmax(flops / peak, bytes_moved / bandwidth)
    return max(flops / peak, bytes_moved / bandwidth)


if __name__ == "__main__":
    import doctest

    print(doctest.testmod())
